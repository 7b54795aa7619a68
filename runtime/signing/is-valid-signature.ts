import { verify, type KeyObject } from "node:crypto";

/** Bytes, and what is said to be the signature of a key over them, in DER. */
export interface SignedBytes {
  readonly key: KeyObject;
  readonly bytes: Uint8Array;
  readonly signature: Uint8Array;
}

/** The key object itself, without options: anything else costs Node a copy of the key for each call. */
export function isValidSignature({ key, bytes, signature }: SignedBytes): boolean {
  try {
    return verify("sha256", bytes, key, signature);
  } catch {
    return false;
  }
}
