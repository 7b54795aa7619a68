/** The thread that `signatures.ts` starts: signs what it is sent, many at a time. */
import { sign, type KeyObject } from "node:crypto";
import { parentPort } from "node:worker_threads";

/** A private key, and the number by which texts name it from now on. */
export interface KeyMessage {
  readonly kind: "key";
  readonly number: number;
  readonly key: KeyObject;
}

/** Texts and the number of the key that signs each. The answer has their signatures in the same order, in base64. */
export interface TextsMessage {
  readonly kind: "texts";
  readonly texts: readonly string[];
  readonly keys: readonly number[];
}

const known = new Map<number, KeyObject>();

parentPort?.on("message", (message: KeyMessage | TextsMessage) => {
  if (message.kind === "key") known.set(message.number, message.key);
  else parentPort?.postMessage(message.texts.map((text, index) => signed(text, message.keys[index] ?? 0)));
});

function signed(text: string, number: number): string {
  const key = known.get(number);
  if (key === undefined) throw new Error(`key ${number} was never sent`);
  return sign(digestOf(key), Buffer.from(text), key).toString("base64");
}

/** Ed25519 takes the text itself. */
export function digestOf({ asymmetricKeyType }: KeyObject): string | null {
  return asymmetricKeyType === "ed25519" ? null : "sha256";
}
