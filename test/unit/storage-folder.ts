import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach } from "vitest";
import { writeMigratedFile } from "../migrated-file.ts";

/** Gives each test the name of a database file in a folder of its own, which does not exist yet. */
export function fileForEachTest(): () => string {
  let root = "";
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "storage-"));
  });
  afterEach(() => rmSync(root, { recursive: true }));
  return () => join(root, "data", "ledger.sqlite");
}

/** The same, with an empty store in it: to make one by all migrations takes most of the time of a small test. */
export function migratedFileForEachTest(): () => string {
  const file = fileForEachTest();
  beforeEach(() => writeMigratedFile(file()));
  return file;
}

/** Does something to a file behind the store's back. */
export function tamper(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}
