import { DatabaseSync } from "node:sqlite";
import { isLocked } from "./errors.ts";
import { StoreOpenError } from "../common/store-open-error.ts";
import { prepareFile } from "./files.ts";

/**
 * Claims the right to write to a file for this process, until released or the process ends, however it ends: a lock
 * on a file beside it, held by the operating system. Throws a `StoreOpenError` while another process has it.
 */
export function lockForWriting(file: string): () => void {
  prepareFile(`${file}.lock`);
  const lock = new DatabaseSync(`${file}.lock`);
  try {
    lock.exec("PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (!isLocked(error)) throw error;
    throw new StoreOpenError(
      `${file} is in use by another process: stop it first, or give each process a data folder of its own`,
    );
  }
  return () => lock.close();
}
