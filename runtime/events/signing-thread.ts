/** The thread that `signatures.ts` starts: signs what it is sent, many at a time. */
import type { KeyObject } from "node:crypto";
import { parentPort } from "node:worker_threads";
import { createNotificationSigner, type NotificationDraft } from "./signed-notification.ts";

/** A private key, and the number by which drafts name it from now on. */
export interface KeyMessage {
  readonly kind: "key";
  readonly number: number;
  readonly key: KeyObject;
}

/** Drafts, and the numbers of the keys that sign each. */
export interface DraftsMessage {
  readonly kind: "drafts";
  readonly drafts: readonly NotificationDraft[];
  readonly payloadKeys: readonly number[];
  readonly webhookKeys: readonly number[];
}

/** What became of the drafts, in their order. */
export interface SignedMessage {
  /** Of all of them, one after the other. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How many of these are of each. */
  readonly lengths: readonly number[];
  readonly signatures: readonly string[];
}

const known = new Map<number, KeyObject>();
const signNotification = createNotificationSigner();

parentPort?.on("message", (message: KeyMessage | DraftsMessage) => {
  if (message.kind === "key") {
    known.set(message.number, message.key);
    return;
  }
  const answer = signed(message);
  parentPort?.postMessage(answer, [answer.bytes.buffer]);
});

function signed({ drafts, payloadKeys, webhookKeys }: DraftsMessage): SignedMessage {
  const all = drafts.map((draft, index) =>
    signNotification(draft, { payloadKey: keyOf(payloadKeys[index]), webhookKey: keyOf(webhookKeys[index]) }),
  );
  const lengths = all.map(({ bytes }) => bytes.length);
  const joined = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let end = 0;
  for (const { bytes } of all) {
    joined.set(bytes, end);
    end += bytes.length;
  }
  return { bytes: joined, lengths, signatures: all.map(({ signature }) => signature) };
}

function keyOf(number: number | undefined): KeyObject {
  const key = known.get(number ?? -1);
  if (key === undefined) throw new Error(`key ${number} was never sent`);
  return key;
}
