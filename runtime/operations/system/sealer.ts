import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  randomBytes,
  type KeyObject,
} from "node:crypto";
import { keyIdOfSealed, type Sealer } from "../../store/ports/index.ts";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;
const keyIdDigits = 16;
/** Drawing many random bytes at once costs hardly more than drawing a few. */
const noncesDrawnAtOnce = 128;

/** Length of the service's own key, in bytes. */
export const sealKeyBytes = 32;

const otherKey =
  "A secret in the database does not open: it was sealed with another key, or changed. Give the key that it was " +
  "sealed with: LEDGER_SEAL_KEY or, in the sandbox, the file seal.key in the data folder.";

/**
 * Seals with AES-256-GCM (NIST SP 800-38D): `v2.`, the key's identifier, `.` and the base64url of nonce, tag and
 * ciphertext. Opens what any of the keys has sealed, also texts that name no key (`v1.`); the first key seals.
 */
export function sealer(key: Uint8Array, ...former: readonly Uint8Array[]): Sealer {
  const keys = [key, ...former].map((bytes) => ({ id: sealKeyId(bytes), secret: createSecretKey(bytes) }));
  const byId = new Map(keys.map(({ id, secret }) => [id, secret]));
  const keyId = sealKeyId(key);
  const own = createSecretKey(key);
  const nextNonce = nonces();
  return {
    keyId,
    seal(plaintext) {
      const nonce = nextNonce();
      const cipher = createCipheriv(algorithm, own, nonce);
      const sealed = [cipher.update(plaintext, "utf8"), cipher.final()];
      return `v2.${keyId}.${Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString("base64url")}`;
    },
    open(sealed) {
      const id = keyIdOfSealed(sealed);
      if (id === undefined) throw new Error("not a text that this service sealed");
      const bytes = Buffer.from(sealed.slice(sealed.lastIndexOf(".") + 1), "base64url");
      const named = byId.get(id);
      const candidates = named === undefined ? keys.map(({ secret }) => secret) : [named];
      if (id !== "" && named === undefined) throw new Error(otherKey);
      for (const candidate of candidates) {
        const text = opened(bytes, candidate);
        if (text !== undefined) return text;
      }
      throw new Error(otherKey);
    },
  };
}

/** Random nonces, each given once. */
function nonces(): () => Uint8Array {
  let drawn: Buffer = Buffer.alloc(0);
  let at = 0;
  return () => {
    if (at === drawn.length) {
      drawn = randomBytes(noncesDrawnAtOnce * nonceBytes);
      at = 0;
    }
    return drawn.subarray(at, (at += nonceBytes));
  };
}

/** Names a key and says nothing of it: the start of an HMAC-SHA-256 under it, in hexadecimal digits. */
export function sealKeyId(key: Uint8Array): string {
  if (key.length !== sealKeyBytes) throw new RangeError(`the sealing key has ${sealKeyBytes} bytes`);
  return createHmac("sha256", key).update("ledger-rpc seal key").digest("hex").slice(0, keyIdDigits);
}

/** The text, unless it was sealed with another key or changed. */
function opened(bytes: Buffer, key: KeyObject): string | undefined {
  if (bytes.length < nonceBytes + tagBytes) return undefined;
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes));
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  const text = decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, "utf8");
  try {
    return text + decipher.final("utf8");
  } catch {
    return undefined;
  }
}
