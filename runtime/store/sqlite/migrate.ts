import type { DatabaseSync } from "node:sqlite";
import { explainedReasonOf } from "./errors.ts";
import type { MigrationListener, MigrationStep } from "../common/adapter.ts";
import { StoreOpenError } from "../common/store-open-error.ts";
import { pendingOf, type Pending, type Recorded, type Versions } from "../common/versions.ts";

/** Marks the file as one of this service (the `application_id` of SQLite's header): "LRPC". */
const applicationId = 0x4c525043;

const ledgerOfMigrations = `CREATE TABLE IF NOT EXISTS migrations (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT`;

/**
 * The steps that the database still lacks.
 * @throws StoreOpenError for a database of another program, and as `pendingOf`.
 */
export function pendingMigrations(database: DatabaseSync, file: string, known: Versions): readonly Pending[] {
  return pendingOf(recordedMigrations(database, file), known, file);
}

/** Brings the database up to date, each step in a transaction of its own. Gives the steps that were missing. */
export function applyMigrations(
  database: DatabaseSync,
  file: string,
  known: Versions,
  onMigration?: MigrationListener,
): readonly MigrationStep[] {
  const pending = pendingMigrations(database, file, known);
  if (pending.length > 0) database.exec("PRAGMA journal_mode = WAL");
  for (const [index, { step, records }] of pending.entries()) {
    onMigration?.({ name: step.name, step: index + 1, steps: pending.length, growing: `${file}-wal` });
    database.exec("BEGIN IMMEDIATE");
    try {
      database.exec(`PRAGMA application_id = ${applicationId}`);
      database.exec(ledgerOfMigrations);
      database.exec(step.sql);
      const record = database.prepare(
        "INSERT INTO migrations (number, name, checksum, applied_at) VALUES (?, ?, ?, ?)",
      );
      for (const { number, name, checksum } of records) record.run(number, name, checksum, Date.now());
      database.exec("COMMIT");
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw new StoreOpenError(
        `${file}: migration ${step.number} (${step.name}) failed and was undone: ${explainedReasonOf(error)}. ` +
          "Put that right and run `ledger-server migrate` again",
        { cause: error },
      );
    }
  }
  return pending.map(({ step }) => step);
}

function recordedMigrations(database: DatabaseSync, file: string): readonly Recorded[] {
  const isEmpty = database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
  if (isEmpty) return [];
  const id = database.prepare("PRAGMA application_id").get()?.["application_id"];
  if (Number(id) !== applicationId) {
    throw new StoreOpenError(
      `${file} is a database of another program: name a file of this service or a new one`,
    );
  }
  return database
    .prepare("SELECT number, name, checksum FROM migrations ORDER BY number")
    .all()
    .map((row) => ({
      number: Number(row["number"]),
      name: String(row["name"]),
      checksum: String(row["checksum"]),
    }));
}
