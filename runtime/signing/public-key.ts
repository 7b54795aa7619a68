import { createPublicKey, type KeyObject } from "node:crypto";

const onePemBlock =
  /^\s*-----BEGIN PUBLIC KEY-----\r?\n(?:[A-Za-z0-9+/]{1,76}\r?\n)*[A-Za-z0-9+/]{1,76}={0,2}\r?\n-----END PUBLIC KEY-----\s*$/;

/**
 * Imports a P-256 public key from SPKI PEM text: exactly one block, nothing but white space around it (D-17).
 * Gives nothing for any other text: other curves, RSA, private keys, trailing text.
 */
export function readPublicKey(pem: string): KeyObject | undefined {
  if (pem.length > 1024 || !onePemBlock.test(pem)) return undefined;
  let key: KeyObject;
  try {
    key = createPublicKey({ key: pem, format: "pem", type: "spki" });
  } catch {
    return undefined;
  }
  return key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === "prime256v1"
    ? key
    : undefined;
}
