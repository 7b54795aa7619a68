import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  randomBytes,
  type KeyObject,
} from "node:crypto";
import { keyIdOfSealed, type Sealer } from "../../store/ports/index.ts";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";

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

/** Where the sandbox keeps the service's own key. */
export function sealKeyFile(dataDir: string): string {
  return join(dataDir, "seal.key");
}

/**
 * The service's own key: configured, or in the sandbox kept beside the database, where it is made with a new database.
 * Throws where it is missing although the database holds secrets: a new one would open none of them.
 */
export function sealKeyOf(
  { sealKey, dataDir }: { readonly sealKey: string | undefined; readonly dataDir: string },
  known: { readonly current?: string; readonly isSealed: boolean },
): Uint8Array {
  if (sealKey !== undefined) return Buffer.from(sealKey, "base64");
  const file = sealKeyFile(dataDir);
  if (existsSync(file)) return readKeyFile(file);
  if (known.isSealed) {
    const key = known.current === undefined ? "its key" : `key ${known.current}`;
    throw new Error(
      `${file} is missing, and the database beside it holds secrets that only ${key} opens. No new key was made. ` +
        "Put the file back from where you keep it, or give the key in LEDGER_SEAL_KEY",
    );
  }
  return makeKeyFile(file);
}

/** Reads a key from a file that only its owner may read. */
export function readKeyFile(file: string): Uint8Array {
  const stats = statSync(file);
  if (!stats.isFile()) throw new Error(`${file} is no file: put the right key back from where you keep it`);
  if ((stats.mode & 0o077) !== 0) {
    throw new Error(`${file} can be read by others than its owner: chmod 600 ${file}`);
  }
  const key = Buffer.from(readFileSync(file, "utf8").trim(), "base64");
  if (key.length === sealKeyBytes) return key;
  throw new Error(
    `${file} does not hold the base64 of ${sealKeyBytes} bytes: put the right key back from where you keep it`,
  );
}

/** Makes a new key and a file for it, complete or not at all. */
export function makeKeyFile(file: string): Uint8Array {
  const key = randomBytes(sealKeyBytes);
  writeKeyFile(file, key);
  return key;
}

/** Complete or not at all. Throws if there is such a file, unless it is to be replaced. */
export function writeKeyFile(file: string, key: Uint8Array, replace = false): void {
  const part = `${file}.${process.pid}.part`;
  const descriptor = openSync(part, "wx", 0o600);
  try {
    try {
      writeSync(descriptor, `${Buffer.from(key).toString("base64")}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    if (replace) renameSync(part, file);
    else linkSync(part, file);
  } finally {
    rmSync(part, { force: true });
  }
  syncFolder(dirname(file));
}

/** Makes what was created or renamed in a folder last. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
