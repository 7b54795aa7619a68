import type { DatabaseSync } from "node:sqlite";
import { keyIdOfSealed, type Sealer } from "../../ports/index.ts";
import { sealedAnew, type SealedPlace, type SealProgress } from "../../common/sealed-places.ts";
import { mapPart } from "../../common/sealing.ts";

const rowsAtOnce = 500;

/** Any text that is sealed, to try a key with; nothing where none is. */
export function firstSealed(database: DatabaseSync, places: readonly SealedPlace[]): string | undefined {
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
 * Seals every text that the key has not sealed, some rows to a transaction: one that is interrupted is gone on with by
 * the next run. What was replaced is overwritten with zeros. Gives how many texts there were.
 */
export function sealAnew(
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
