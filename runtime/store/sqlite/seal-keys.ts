import type { DatabaseSync } from "node:sqlite";
import { omitUndefined } from "../../contract/index.ts";
import { type KnownSealKeys, StoreOpenError } from "../common/adapter.ts";
import { type Sealer, keyIdOfSealed } from "../ports/index.ts";
import { type Rotation, type SealProgress, sealedAnew, mapPart } from "../common/sealing.ts";
import type { SealedPlace } from "../common/verify/books.ts";

const checkText = "ledger-rpc";

/** The seal keys that the database names. */
export function knownSealKeys(database: DatabaseSync, places: readonly SealedPlace[]): KnownSealKeys {
  const current = currentKey(database);
  return current === undefined
    ? { isSealed: firstSealed(database, places) !== undefined }
    : { current: current.keyId, isSealed: true };
}

/**
 * Makes sure that the key is the database's, and seals what is not sealed yet where `mayWrite` allows it. Throws a
 * `StoreOpenError` for another key, and where an earlier rotation was not finished.
 */
export function requireSealKey(
  database: DatabaseSync,
  places: readonly SealedPlace[],
  { file, sealer, mayWrite }: { readonly file: string; readonly sealer: Sealer; readonly mayWrite: boolean },
): void {
  const current = currentKey(database);
  if (current === undefined) requireOpens(file, sealer, firstSealed(database, places));
  else if (current.keyId !== sealer.keyId) throw otherKey(file, current.keyId, sealer.keyId);
  else requireOpens(file, sealer, current.check);
  const former = formerKeys(database);
  const unfinished = former.find((keyId) => keyId !== "none");
  if (unfinished !== undefined) {
    throw new StoreOpenError(
      `${file}: a rotation of the seal key from ${unfinished} to ${current?.keyId} was interrupted. ` +
        "Finish it with both keys: `ledger-server rotate-seal-key`",
    );
  }
  if (current !== undefined && former.length === 0) return;
  if (!mayWrite) {
    throw new StoreOpenError(`${file} holds secrets that are not sealed yet: run \`ledger-server migrate\``);
  }
  if (current === undefined) addKey(database, sealer);
  finish(database, places, sealer, () => undefined);
}

/**
 * Seals everything with the first key of `both`, which opens what the former one has sealed, too. A run that was
 * interrupted is finished by the next one with the same keys; none of its work is lost.
 */
export function rotateSealKey(
  database: DatabaseSync,
  places: readonly SealedPlace[],
  {
    file,
    both,
    formerKeyId,
    progress,
  }: {
    readonly file: string;
    readonly both: Sealer;
    readonly formerKeyId: string;
    readonly progress: SealProgress;
  },
): Rotation {
  const current = currentKey(database);
  if (current !== undefined && current.keyId !== both.keyId) {
    if (current.keyId !== formerKeyId) throw otherKey(file, current.keyId, formerKeyId);
    requireOpens(file, both, current.check);
    inTransaction(database, () => {
      database.prepare("UPDATE seal_keys SET state = 'FORMER' WHERE key_id = ?").run(current.keyId);
      addKey(database, both);
    });
  } else if (current === undefined) {
    throw new StoreOpenError(
      `${file} has no seal key yet: start the service, or run \`ledger-server migrate\``,
    );
  }
  const former = formerKeys(database).find((keyId) => keyId !== "none");
  const texts = finish(database, places, both, progress);
  return omitUndefined({ keyId: both.keyId, texts, formerKeyId: former });
}

/** Seals all that the current key has not sealed, then forgets the former keys. */
function finish(
  database: DatabaseSync,
  places: readonly SealedPlace[],
  sealer: Sealer,
  progress: SealProgress,
): number {
  const texts = sealAnew(database, places, sealer, progress);
  database.exec("DELETE FROM seal_keys WHERE state = 'FORMER'");
  // The log held what was replaced.
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  return texts;
}

function currentKey(database: DatabaseSync): { readonly keyId: string; readonly check: string } | undefined {
  const row = database.prepare("SELECT key_id, check_sealed FROM seal_keys WHERE state = 'CURRENT'").get();
  return row && { keyId: String(row["key_id"]), check: String(row["check_sealed"]) };
}

function formerKeys(database: DatabaseSync): readonly string[] {
  return database
    .prepare("SELECT key_id FROM seal_keys WHERE state = 'FORMER'")
    .all()
    .map((row) => String(row["key_id"]));
}

function addKey(database: DatabaseSync, sealer: Sealer): void {
  database
    .prepare("INSERT INTO seal_keys (key_id, state, check_sealed, created_at) VALUES (?, 'CURRENT', ?, ?)")
    .run(sealer.keyId, sealer.seal(checkText), Date.now());
}

/** Throws unless the key opens the text, if there is one. */
function requireOpens(file: string, sealer: Sealer, sealed: string | undefined): void {
  if (sealed === undefined) return;
  try {
    sealer.open(sealed);
  } catch (cause) {
    throw new StoreOpenError(
      `${file} was sealed with another key than the one given (${sealer.keyId}): give the key that it was sealed ` +
        "with, in LEDGER_SEAL_KEY or, in the sandbox, as seal.key in the data folder",
      { cause },
    );
  }
}

function otherKey(file: string, needed: string, given: string): StoreOpenError {
  return new StoreOpenError(
    `${file} is sealed with key ${needed}; the key given is ${given}. Give the former: in LEDGER_SEAL_KEY, in the ` +
      "sandbox as seal.key in the data folder, or to `restore` with --seal-key. Was the key just changed? " +
      "`ledger-server rotate-seal-key` changes it",
  );
}

function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const value = work();
    database.exec("COMMIT");
    return value;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

const rowsAtOnce = 500;

/** Any text that is sealed, to try a key with; nothing where none is. */
function firstSealed(database: DatabaseSync, places: readonly SealedPlace[]): string | undefined {
  let found: string | undefined;
  for (const { table, column, part } of places) {
    const rows = database
      .prepare(`SELECT ${column} AS text FROM ${table.name} WHERE ${column} IS NOT NULL LIMIT 1`)
      .all();
    for (const { text } of rows) {
      mapPart(part, String(text), (sealed) => {
        if (keyIdOfSealed(sealed) !== undefined) found ??= sealed;
        return sealed;
      });
    }
    if (found !== undefined) break;
  }
  return found;
}

/**
 * Seals every text that the key has not sealed, some rows per transaction. The next run continues an interrupted one.
 * What was replaced is overwritten with zeros. Gives how many texts there were.
 */
function sealAnew(
  database: DatabaseSync,
  places: readonly SealedPlace[],
  sealer: Sealer,
  progress: SealProgress,
): number {
  database.exec("PRAGMA secure_delete = ON");
  const counts = places.map(({ table }) =>
    Number(first(database, `SELECT count(*) AS n FROM ${table.name}`)),
  );
  const all = counts.reduce((sum, count) => sum + count, 0);
  let rows = 0;
  let texts = 0;
  for (const place of places) {
    for (let after = 0; ;) {
      const batch = sealBatch(database, sealer, place, after);
      rows += batch.rows;
      texts += batch.texts;
      progress(rows, all);
      if (batch.rows < rowsAtOnce) break;
      after = batch.last;
    }
  }
  return texts;
}

function sealBatch(
  database: DatabaseSync,
  sealer: Sealer,
  place: SealedPlace,
  after: number,
): { readonly rows: number; readonly texts: number; readonly last: number } {
  const { column } = place;
  const table = place.table.name;
  const found = database
    .prepare(`SELECT rowid AS row, ${column} AS text FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ?`)
    .all(after, rowsAtOnce);
  const update = database.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`);
  let texts = 0;
  database.exec("BEGIN IMMEDIATE");
  try {
    for (const { row, text } of found) {
      if (typeof text !== "string") continue;
      const anew = sealedAnew(place, text, sealer);
      if (anew === text) continue;
      update.run(anew, Number(row));
      texts += 1;
    }
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
  return { rows: found.length, texts, last: Number(found.at(-1)?.["row"] ?? after) };
}

function first(database: DatabaseSync, sql: string): unknown {
  return Object.values(database.prepare(sql).get() ?? {})[0];
}
