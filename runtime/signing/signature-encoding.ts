import { decodeBase64 } from "./base64.ts";

const p1363Bytes = 64;
/** SEQUENCE of two INTEGERs of at most 33 bytes each. */
const derBytesMax = 72;

/**
 * The DER bytes of a signature sent as base64 text; a 64-byte value is read as IEEE P1363 (r‖s), which WebCrypto
 * produces (D-16). Gives nothing if the text cannot be a P-256 signature.
 */
export function decodeSignature(text: string): Buffer | undefined {
  const bytes = text.length <= 96 ? decodeBase64(text) : undefined;
  if (bytes === undefined || bytes.length > derBytesMax) return undefined;
  if (bytes.length === p1363Bytes) return derFromP1363(bytes);
  return bytes[0] === 0x30 ? bytes : undefined;
}

/** Turns r‖s into the DER that `crypto.verify` takes by default: faster there than asking it to read P1363. */
export function derFromP1363(signature: Buffer): Buffer {
  const r = derInteger(signature.subarray(0, p1363Bytes / 2));
  const s = derInteger(signature.subarray(p1363Bytes / 2));
  return Buffer.concat([Buffer.of(0x30, r.length + s.length), r, s]);
}

function derInteger(unsigned: Buffer): Buffer {
  let first = 0;
  while (first < unsigned.length - 1 && unsigned[first] === 0) first += 1;
  const magnitude = unsigned.subarray(first);
  const sign = (magnitude[0] ?? 0) >= 0x80 ? [0] : [];
  return Buffer.concat([Buffer.of(0x02, magnitude.length + sign.length, ...sign), magnitude]);
}

const curveOrder = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * One text for a DER signature and for its twin with the negated s, which anybody can compute and which verifies
 * just as well: what identifies a signed request that has no other identifier.
 */
export function lowSignature(der: Buffer): string {
  const rBytes = der[3] ?? 0;
  const r = der.subarray(4, 4 + rBytes).toString("hex");
  const s = BigInt(`0x0${der.subarray(6 + rBytes).toString("hex")}`);
  const low = s > curveOrder / 2n ? curveOrder - s : s;
  return `${r}.${low.toString(16)}`;
}
