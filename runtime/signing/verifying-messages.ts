import type { KeyObject } from "node:crypto";
import type { SignedBytes } from "./is-valid-signature.ts";

/** Signatures to verify, their bytes in one array: a message of many small arrays takes longer than it saves. */
export interface VerifyMessage {
  readonly keys: readonly KeyObject[];
  /** Of each signature: the index of its key, and the lengths of what was signed and of the signature. */
  readonly layout: Uint32Array<ArrayBuffer>;
  /** What was signed and the signature, of each. */
  readonly packed: Uint8Array<ArrayBuffer>;
}

/** Answers a `VerifyMessage`: 1 for each signature that is one, 0 for each that is none. */
export interface VerdictsMessage {
  readonly verdicts: Uint8Array<ArrayBuffer>;
}

const numbersEach = 3;

export function packSignatures(batch: readonly SignedBytes[]): VerifyMessage {
  const indexes = new Map<KeyObject, number>();
  const layout = new Uint32Array(batch.length * numbersEach);
  let length = 0;
  batch.forEach(({ key, bytes, signature }, position) => {
    const index = indexes.get(key) ?? indexes.size;
    indexes.set(key, index);
    layout.set([index, bytes.length, signature.length], position * numbersEach);
    length += bytes.length + signature.length;
  });
  const packed = new Uint8Array(length);
  let at = 0;
  for (const { bytes, signature } of batch) {
    packed.set(bytes, at);
    packed.set(signature, at + bytes.length);
    at += bytes.length + signature.length;
  }
  return { keys: [...indexes.keys()], layout, packed };
}

export function* unpackSignatures({ keys, layout, packed }: VerifyMessage): Generator<SignedBytes> {
  let at = 0;
  for (let position = 0; position < layout.length; position += numbersEach) {
    const [index = -1, bytesLength = 0, signatureLength = 0] = layout.subarray(position);
    const key = keys[index];
    if (key === undefined) throw new Error("a signature's key is not in the message");
    const end = at + bytesLength;
    yield { key, bytes: packed.subarray(at, end), signature: packed.subarray(end, end + signatureLength) };
    at = end + signatureLength;
  }
}
