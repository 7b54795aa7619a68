import type { KeyObject } from "node:crypto";
import { Worker } from "node:worker_threads";
import {
  createNotificationSigner,
  type NotificationDraft,
  type NotificationKeys,
  type SignedNotification,
} from "./signed-notification.ts";
import type { DraftsMessage, KeyMessage, SignedMessage } from "./signing-thread.ts";

/** Signs notifications: the costly part of sending them. */
export interface Signatures {
  sign(draft: NotificationDraft, keys: NotificationKeys): Promise<SignedNotification>;
  close(): Promise<void>;
}

interface Asked {
  readonly draft: NotificationDraft;
  readonly keys: NotificationKeys;
  resolve(signed: SignedNotification): void;
  reject(reason: unknown): void;
}

/** What comes together and is less than this takes a fraction of a millisecond: not worth waking a thread. */
const flood = 8;
/** The first of a batch waits for its last. */
const batchMax = 64;

/** What comes together is handed over together, to a thread that is started when it is first needed. */
export function createSignatures(): Signatures {
  const waiting: Asked[] = [];
  const signHere = createNotificationSigner();
  let thread: SigningThread | undefined;
  let isGathering = false;

  function gathered(): void {
    isGathering = false;
    if (waiting.length >= flood || thread?.isBusy === true) {
      handOver();
      return;
    }
    for (const { draft, keys, resolve, reject } of waiting.splice(0)) {
      try {
        resolve(signHere(draft, keys));
      } catch (error) {
        reject(error);
      }
    }
  }
  function handOver(): void {
    if (waiting.length === 0) return;
    thread ??= startSigningThread(handOver, () => {
      thread = undefined;
    });
    // What is asked for meanwhile makes the next batch.
    if (!thread.isBusy) thread.send(waiting.splice(0, batchMax));
  }

  return {
    sign: (draft, keys) =>
      new Promise((resolve, reject) => {
        waiting.push({ draft, keys, resolve, reject });
        if (isGathering) return;
        isGathering = true;
        setImmediate(gathered);
      }),
    close: async () => thread?.end(),
  };
}

interface SigningThread {
  readonly isBusy: boolean;
  send(batch: readonly Asked[]): void;
  end(): Promise<void>;
}

function startSigningThread(onAnswer: () => void, onEnd: () => void): SigningThread {
  const worker = new Worker(new URL("signing-thread.ts", import.meta.url));
  worker.unref();
  let batch: readonly Asked[] = [];
  const numbers = new Map<KeyObject, number>();

  worker.on("message", ({ bytes, lengths, signatures }: SignedMessage) => {
    const answered = batch;
    batch = [];
    onAnswer();
    let from = 0;
    for (const [index, { resolve }] of answered.entries()) {
      const length = lengths[index] ?? 0;
      resolve({ bytes: Buffer.from(bytes.buffer, from, length), signature: signatures[index] ?? "" });
      from += length;
    }
  });
  worker.on("error", (error) => {
    onEnd();
    for (const { reject } of batch) reject(error);
    onAnswer();
  });

  function numberOf(key: KeyObject): number {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = numbers.size;
    numbers.set(key, number);
    worker.postMessage({ kind: "key", number, key } satisfies KeyMessage);
    return number;
  }
  return {
    get isBusy() {
      return batch.length > 0;
    },
    send(asked) {
      const payloadKeys = asked.map(({ keys }) => numberOf(keys.payloadKey));
      const webhookKeys = asked.map(({ keys }) => numberOf(keys.webhookKey));
      const drafts = asked.map(({ draft }) => draft);
      batch = asked;
      worker.postMessage({ kind: "drafts", drafts, payloadKeys, webhookKeys } satisfies DraftsMessage);
    },
    async end() {
      await worker.terminate();
    },
  };
}
