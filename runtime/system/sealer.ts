import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Sealer } from "../ports/index.ts";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** Length of the service's own key, in bytes. */
export const sealKeyBytes = 32;

const otherKey =
  "A secret in the database does not open: it was sealed with another key, or changed. Give the key that it was " +
  "sealed with: LEDGER_SEAL_KEY or, in the sandbox, the file seal.key in the data folder.";

/** Seals with AES-256-GCM: `v1.` and the base64url of nonce, tag and ciphertext (NIST SP 800-38D). */
export function sealer(key: Uint8Array): Sealer {
  if (key.length !== sealKeyBytes) throw new RangeError(`the sealing key has ${sealKeyBytes} bytes`);
  return {
    seal(plaintext) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce);
      const sealed = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
      return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url")}`;
    },
    open(sealed) {
      if (!sealed.startsWith("v1.")) throw new Error("not a text that this service sealed");
      const bytes = Buffer.from(sealed.slice(3), "base64url");
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes));
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      const text = decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, "utf8");
      try {
        return text + decipher.final("utf8");
      } catch (cause) {
        throw new Error(otherKey, { cause });
      }
    },
  };
}
