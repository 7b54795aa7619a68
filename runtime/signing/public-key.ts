import { createPublicKey, type KeyObject } from "node:crypto";
import { decodeBase64 } from "./base64.ts";

const pemCharactersMax = 1024;
const lineCharactersMax = 76;
const firstLine = "-----BEGIN PUBLIC KEY-----";
const lastLine = "-----END PUBLIC KEY-----";

/**
 * The first bytes of the DER of a P-256 key: SubjectPublicKeyInfo, id-ecPublicKey with the named curve prime256v1, and
 * 66 bytes of BIT STRING (RFC 5480 §2) whose point is uncompressed, 04 (SEC 1 §2.3.3). 64 bytes of x and y follow.
 */
const derHead = Buffer.from("3059301306072a8648ce3d020106082a8648ce3d03010703420004", "hex");
const derBytes = derHead.length + 64;

/**
 * Imports a P-256 public key from SPKI PEM text: exactly one block, nothing but white space around it (D-17), in it
 * the one encoding that RFC 5480 gives an uncompressed point on the named curve, without a byte more (D-56).
 * Gives nothing for any other text: other curves, explicit parameters, compressed and hybrid points, points that are
 * not on the curve, RSA, private keys, trailing text.
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
