import type { Connection } from "../connection.ts";

/**
 * `PASSIVE` moves what readers allow to move, without waiting. `TRUNCATE` also starts the log over, empty, if no
 * reader needs it; writers cannot begin meanwhile.
 */
export type CheckpointMode = "PASSIVE" | "TRUNCATE";

/**
 * Moves what the log holds to the file. Gives whether all of it is there, and with `TRUNCATE` whether the log is empty.
 * A fault of the disk is left to the next commit to report.
 */
export function checkpoint(connection: Connection, mode: CheckpointMode): boolean {
  try {
    const [row] = connection.rows(`PRAGMA wal_checkpoint(${mode})`, []);
    const [isBlocked, frames, moved] = row ?? [];
    return isBlocked === 0n && frames === moved;
  } catch {
    return false;
  }
}
