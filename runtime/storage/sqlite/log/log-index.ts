import { closeSync, existsSync, openSync, writeSync } from "node:fs";

/** Both headers of the index, and how much of the log is in the database (sqlite.org/walformat.html §2.1). */
const headerBytes = 136;

/**
 * Has SQLite make the index of a log anew, from the log alone, which has checksums; the index has none. By a damaged one
 * a checkpoint leaves commits out, then removes the log.
 */
export function rebuildLogIndex(file: string): void {
  const index = `${file}-shm`;
  if (!existsSync(index)) return;
  const descriptor = openSync(index, "r+");
  try {
    writeSync(descriptor, Buffer.alloc(headerBytes), 0, headerBytes, 0);
  } finally {
    closeSync(descriptor);
  }
}
