import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The schema that migrations 1 to 22 made, before they were replaced by one baseline. */
export const formerSql = readFileSync(join(import.meta.dirname, "schema-of-22.sql"), "utf8");

/** A file as the commit before the baseline left it: with the steps up to this one. */
export function writeFormer(file: string, version: number, leaveOpen = false): DatabaseSync {
  mkdirSync(dirname(file));
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA application_id = ${0x4c525043}; ${formerSql}`);
  const record = database.prepare("INSERT INTO migrations VALUES (?, 'step', 'x', 0)");
  for (let number = 1; number <= version; number += 1) record.run(number);
  if (!leaveOpen) database.close();
  return database;
}
