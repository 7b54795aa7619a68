import { randomBytes } from "node:crypto";
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
import { sealKeyBytes } from "./sealer.ts";

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
