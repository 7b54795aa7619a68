import { createPublicKey, type KeyObject, verify } from "node:crypto";
import canonicalize from "canonicalize";
import type { JsonValue } from "../../contract/index.ts";
import type { SignatureVerifier } from "../auth-services.ts";

const p1363Bytes = 64;
const sequenceTag = 0x30;
const integerTag = 0x02;
/** Base64 of the longest signature: a SEQUENCE of two INTEGERs of 33 bytes each, 72 bytes. */
const textCharactersMax = 96;

/**
 * The DER bytes of a signature sent as base64 text. A 64-byte value is read as IEEE P1363 (r‖s), which WebCrypto
 * produces; anything else must be strict DER (D-16). Gives nothing if the text cannot be a P-256 signature.
 */
export function decodeSignature(text: string): Buffer | undefined {
  const bytes = text.length <= textCharactersMax ? decodeBase64(text) : undefined;
  if (bytes === undefined) return undefined;
  if (bytes.length === p1363Bytes) return derFromP1363(bytes);
  return isStrictDer(bytes) ? bytes : undefined;
}

/**
 * Whether bytes are a SEQUENCE of two positive INTEGERs in their one DER encoding (X.690 §8.3, §10.1), and nothing
 * else. Looser forms that a library would accept are refused first.
 */
function isStrictDer(bytes: Buffer): boolean {
  if (bytes[0] !== sequenceTag || bytes[1] !== bytes.length - 2) return false;
  const rEnd = integerEnd(bytes, 2);
  return rEnd !== undefined && integerEnd(bytes, rEnd) === bytes.length;
}

/** Where the INTEGER that starts at a position ends, if it is positive, minimal and of at most 32 bytes of value. */
function integerEnd(bytes: Buffer, at: number): number | undefined {
  const length = bytes[at + 1] ?? 0;
  const end = at + 2 + length;
  if (bytes[at] !== integerTag || length < 1 || length > 33 || end > bytes.length) return undefined;
  const first = bytes[at + 2] ?? 0;
  const second = length > 1 ? (bytes[at + 3] ?? 0) : 0;
  if (first >= 0x80 || (first === 0 && second < 0x80)) return undefined;
  return length === 33 && first !== 0 ? undefined : end;
}

/** Turns r‖s into the DER that `crypto.verify` takes by default: faster there than asking it to read P1363. */
export function derFromP1363(signature: Buffer): Buffer {
  const r = derInteger(signature.subarray(0, p1363Bytes / 2));
  const s = derInteger(signature.subarray(p1363Bytes / 2));
  return Buffer.concat([Buffer.of(sequenceTag, r.length + s.length), r, s]);
}

function derInteger(unsigned: Buffer): Buffer {
  let first = 0;
  while (first < unsigned.length - 1 && unsigned[first] === 0) first += 1;
  const magnitude = unsigned.subarray(first);
  const sign = (magnitude[0] ?? 0) >= 0x80 ? [0] : [];
  return Buffer.concat([Buffer.of(integerTag, magnitude.length + sign.length, ...sign), magnitude]);
}

const curveOrder = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * One text for a DER signature and its twin with the negated s, which anyone can compute and which verifies as well.
 * It identifies a signed request that has no other identifier.
 */
export function lowSignature(der: Buffer): string {
  const rBytes = der[3] ?? 0;
  const r = der.subarray(4, 4 + rBytes).toString("hex");
  const s = BigInt(`0x0${der.subarray(6 + rBytes).toString("hex")}`);
  const low = s > curveOrder / 2n ? curveOrder - s : s;
  return `${r}.${low.toString(16)}`;
}

/**
 * Decodes standard base64 (RFC 4648 §4), strictly: padded, no white space, no other alphabet, no stray bits.
 * Gives nothing for any other text.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}

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

const pemCharactersMax = 1024;
const lineCharactersMax = 76;
const firstLine = "-----BEGIN PUBLIC KEY-----";
const lastLine = "-----END PUBLIC KEY-----";

/**
 * The first bytes of the DER of a P-256 key: SubjectPublicKeyInfo, id-ecPublicKey with the named curve prime256v1,
 * and 66 bytes of BIT STRING (RFC 5480 §2). The point is uncompressed, 04 (SEC 1 §2.3.3); 64 bytes of x and y follow.
 */
const derHead = Buffer.from("3059301306072a8648ce3d020106082a8648ce3d03010703420004", "hex");
const derBytes = derHead.length + 64;

/**
 * Imports a P-256 public key from SPKI PEM text: exactly one block, with nothing but white space around it (D-17).
 * Its bytes are the one encoding that RFC 5480 gives an uncompressed point on the named curve (D-56). Gives nothing
 * for any other text: other curves, explicit parameters, compressed points, points off the curve, RSA, private keys,
 * trailing text.
 */
export function readPublicKey(pem: string): KeyObject | undefined {
  const der = onePemBlock(pem);
  if (der?.length !== derBytes || !der.subarray(0, derHead.length).equals(derHead)) return undefined;
  try {
    return createPublicKey({ key: der, format: "der", type: "spki" });
  } catch {
    return undefined;
  }
}

/** The bytes in the only block of a text (RFC 7468 §2), strictly base64. */
function onePemBlock(pem: string): Buffer | undefined {
  if (pem.length > pemCharactersMax) return undefined;
  const lines = pem.trim().split("\n").map(withoutReturn);
  if (lines.length < 3 || lines[0] !== firstLine || lines.at(-1) !== lastLine) return undefined;
  const encoded = lines.slice(1, -1);
  if (encoded.some(({ length }) => length === 0 || length > lineCharactersMax)) return undefined;
  return decodeBase64(encoded.join(""));
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

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
