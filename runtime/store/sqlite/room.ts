import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { UnavailableError } from "../ports/index.ts";

/** A disk that was full has room again once so much of it is free: enough for the largest transaction and its log. */
export const roomBytes = 1_048_576;

/**
 * Room for the log until it starts over, and for the database that it is moved to. With less on its disk the service starts
 * the log over early. A copy leaves the service so much.
 */
export const spareBytes = 16 * roomBytes;

/** Bytes that the disk of a file has left. One that does not say is believed to have room: writes show it. */
export function freeBytesAt(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}

export type FreeBytes = typeof freeBytesAt;

/**
 * Gives a check for a copy that still needs `bytesLeft`: it throws an `UnavailableError` if the copy would fill its disk. If
 * the database is on the same disk, the copy leaves it `spareBytes`.
 */
export function roomFor(part: string, database: string, freeBytes: FreeBytes): (bytesLeft: number) => void {
  const isBesideIt = statSync(dirname(part)).dev === statSync(dirname(database)).dev;
  const keptBytes = isBesideIt ? spareBytes : 0;
  return (bytesLeft) => {
    const free = freeBytes(part);
    if (free - keptBytes >= bytesLeft) return;
    const service = isBesideIt ? `, of which the service needs ${mebibytes(keptBytes)} for its log` : "";
    const message = `the disk would get full: ${mebibytes(bytesLeft)} are still to be copied, and ${dirname(part)} has ${mebibytes(free)} free`;
    throw new UnavailableError("disk-full", { message: message + service });
  };
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
