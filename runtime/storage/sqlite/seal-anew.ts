import type { DatabaseSync } from "node:sqlite";
import { keyIdOfSealed, type Sealer } from "../../ports/index.ts";
import * as tables from "../tables/index.ts";
import type { SealedPart } from "../tables/index.ts";
import { mapPart } from "../common/sealing.ts";

/** Called now and then with the number of rows looked at, and how many there are. */
export type SealProgress = (rows: number, of: number) => void;

/** A column that holds sealed texts. */
interface Place {
  readonly table: string;
  readonly column: string;
  readonly part: SealedPart | "answer";
}

/** What the tables declare, and what handlers and delivery seal themselves. */
const places: readonly Place[] = [
  ...Object.values(tables).flatMap(({ name, columns }) =>
    columns.flatMap((column) =>
      column.sealed === undefined ? [] : { table: name, column: column.name, part: column.sealed },
    ),
  ),
  { table: "portal_logins", column: "totp_secret_sealed", part: "whole" },
  { table: "subscriptions", column: "secret_sealed", part: "whole" },
  { table: "subscriptions", column: "former_secret_sealed", part: "whole" },
  { table: "outbox_mails", column: "message_sealed", part: "whole" },
  { table: "service_keys", column: "private_key_sealed", part: "whole" },
  // A kept answer is the JSON of a sealed text, or of one beside the revision that it was given in.
  { table: "answers", column: "result_json", part: "answer" },
];

const rowsAtOnce = 500;

/** Any text that is sealed, to try a key with; nothing where none is. */
export function firstSealed(database: DatabaseSync): string | undefined {
  for (const { table, column, part } of places.filter((place) => place.part !== "identifications")) {
    const rows = database
      .prepare(`SELECT ${column} AS text FROM ${table} WHERE ${column} IS NOT NULL LIMIT 1`)
      .all();
    for (const { text } of rows) {
      const sealed = part === "answer" ? sealedOfAnswer(String(text)) : String(text);
      if (sealed !== undefined && keyIdOfSealed(sealed) !== undefined) return sealed;
    }
  }
  return undefined;
}

/**
 * Seals every text that the key has not sealed, some rows to a transaction: one that is interrupted is gone on with by
 * the next run. What was replaced is overwritten with zeros. Gives how many texts there were.
 */
export function sealAnew(database: DatabaseSync, sealer: Sealer, progress: SealProgress): number {
  database.exec("PRAGMA secure_delete = ON");
  const counts = places.map(({ table }) => Number(first(database, `SELECT count(*) AS n FROM ${table}`)));
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
  { table, column, part }: Place,
  after: number,
): { readonly rows: number; readonly texts: number; readonly last: number } {
  const found = database
    .prepare(`SELECT rowid AS row, ${column} AS text FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ?`)
    .all(after, rowsAtOnce);
  const update = database.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`);
  let texts = 0;
  database.exec("BEGIN IMMEDIATE");
  try {
    for (const { row, text } of found) {
      if (typeof text !== "string") continue;
      const anew =
        part === "answer"
          ? answerAnew(text, sealer)
          : mapPart(part, text, (sealedText) => textAnew(sealedText, sealer));
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

function textAnew(text: string, sealer: Sealer): string {
  const keyId = keyIdOfSealed(text);
  if (keyId === sealer.keyId) return text;
  return sealer.seal(keyId === undefined ? text : sealer.open(text));
}

function answerAnew(text: string, sealer: Sealer): string {
  const sealed = sealedOfAnswer(text);
  if (sealed === undefined || keyIdOfSealed(sealed) === undefined) return text;
  const anew = textAnew(sealed, sealer);
  // A sealed text has no character that JSON escapes.
  return anew === sealed ? text : text.replace(sealed, anew);
}

function sealedOfAnswer(text: string): string | undefined {
  const kept: unknown = JSON.parse(text);
  if (typeof kept === "string") return kept;
  if (typeof kept !== "object" || kept === null || !("sealed" in kept)) return undefined;
  return typeof kept.sealed === "string" ? kept.sealed : undefined;
}

function first(database: DatabaseSync, sql: string): unknown {
  return Object.values(database.prepare(sql).get() ?? {})[0];
}
