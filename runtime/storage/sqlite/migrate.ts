import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { explainedReasonOf } from "./errors.ts";
import type { MigrationListener } from "../common/adapter.ts";
import { StoreOpenError } from "../common/store-open-error.ts";
import { migrations, type Migration } from "./migrations/index.ts";

/** Marks the file as one of this service (the `application_id` of SQLite's header): "LRPC". */
const applicationId = 0x4c525043;

const ledgerOfMigrations = `CREATE TABLE IF NOT EXISTS migrations (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT`;

/**
 * The steps that the database still lacks. Throws a `StoreOpenError` for a database of another program, of a newer
 * version of this one, or with a step recorded otherwise than it is known here.
 */
export function pendingMigrations(
  database: DatabaseSync,
  file: string,
  known: readonly Migration[] = migrations,
): readonly Migration[] {
  const recorded = recordedMigrations(database, file);
  const newest = recorded.at(-1)?.number ?? 0;
  if (newest > known.length) {
    throw new StoreOpenError(
      `${file} was written by a newer version: it has migration ${newest}, this version knows ${known.length}. ` +
        "Run that version, or restore a backup made before the upgrade.",
    );
  }
  for (const [index, { number, name, checksum }] of recorded.entries()) {
    const migration = known[index];
    if (migration?.number === number && checksumOf(migration) === checksum) continue;
    throw new StoreOpenError(
      `${file} has migration ${number} (${name}) with another content than this version's. ` +
        "It was written by a build that was never released; restore a backup or start with a new file.",
    );
  }
  return known.slice(recorded.length);
}

/** Brings the database up to date, each step in a transaction of its own. Gives the steps that were missing. */
export function applyMigrations(
  database: DatabaseSync,
  file: string,
  known: readonly Migration[] = migrations,
  onMigration?: MigrationListener,
): readonly Migration[] {
  const pending = pendingMigrations(database, file, known);
  if (pending.length === 0) return pending;
  database.exec("PRAGMA journal_mode = WAL");
  for (const [index, migration] of pending.entries()) {
    const { name } = migration;
    onMigration?.({ name, step: index + 1, steps: pending.length, growing: `${file}-wal` });
    database.exec("BEGIN IMMEDIATE");
    try {
      database.exec(`PRAGMA application_id = ${applicationId}`);
      database.exec(ledgerOfMigrations);
      database.exec(migration.sql);
      migration.fill?.(database);
      database
        .prepare("INSERT INTO migrations (number, name, checksum, applied_at) VALUES (?, ?, ?, ?)")
        .run(migration.number, migration.name, checksumOf(migration), Date.now());
      database.exec("COMMIT");
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw new StoreOpenError(
        `${file}: migration ${migration.number} (${migration.name}) failed and was undone: ${explainedReasonOf(error)}. ` +
          "Put that right and run `ledger-server migrate` again",
        { cause: error },
      );
    }
  }
  return pending;
}

interface RecordedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

function recordedMigrations(database: DatabaseSync, file: string): readonly RecordedMigration[] {
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

function checksumOf(migration: Migration): string {
  return createHash("sha256").update(migration.sql).digest("hex");
}
