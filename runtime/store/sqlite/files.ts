import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";

const ownerOnlyFile = 0o600;
const ownerOnlyFolder = 0o700;

/**
 * Creates the file and its folder where they are missing, and leaves the file readable by its owner alone. SQLite
 * gives its side files the same mode.
 */
export function prepareFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: ownerOnlyFolder });
  if (!existsSync(file)) closeSync(openSync(file, "a", ownerOnlyFile));
  if ((statSync(file).mode & 0o777) !== ownerOnlyFile) chmodSync(file, ownerOnlyFile);
}

/** Makes what is in a file last, or what was created or renamed in a folder. */
export function sync(name: string): void {
  const descriptor = openSync(name, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
