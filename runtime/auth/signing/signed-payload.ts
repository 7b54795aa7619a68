import type { KeyObject } from "node:crypto";
import canonicalize from "canonicalize";
import type { JsonValue } from "../../contract/index.ts";
import type { SignatureVerifier } from "../auth-services.ts";

export interface SignedPayload {
  /** The bytes as sent. */
  readonly bytes: Buffer;
  /** The value that the bytes parse to; absent where only the bytes as sent are accepted. */
  readonly value?: JsonValue;
  /** DER. */
  readonly signature: Buffer;
}

/**
 * Whether a signature covers a payload: its exact bytes as sent, or the same value in RFC 8785 (JCS) form. A proxy
 * that serialises again does not break callers (D-15).
 */
export async function isSigned(
  verifier: SignatureVerifier,
  key: KeyObject,
  { bytes, value, signature }: SignedPayload,
): Promise<boolean> {
  if (await verifier.verify(key, bytes, signature)) return true;
  if (value === undefined) return false;
  const canonical = canonicalBytes(value);
  return !canonical.equals(bytes) && verifier.verify(key, canonical, signature);
}

/** A JSON value in RFC 8785 form, as UTF-8. */
export function canonicalBytes(value: JsonValue): Buffer {
  return Buffer.from(canonicalize(value) ?? "null");
}
