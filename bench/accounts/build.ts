import { once } from "node:events";
import type { Writable } from "node:stream";
import { DatabaseSync } from "node:sqlite";
import type pg from "pg";
import { migrateStore } from "../../test/bank-stores.ts";
import { standardConnections, standardReads } from "../../runtime/store/index.ts";
import { sqliteValue } from "../../runtime/store/sqlite/connection.ts";
import type { ColumnValue } from "../../runtime/store/tables/index.ts";
import { bankRows, type BankRows } from "./bank.ts";
import type { BankPlan } from "./plan.ts";
import { GuardedClient } from "../../runtime/store/postgres/connections.ts";

/** Writes a synthetic bank into a new database of either engine, and says how far it is. */

/** Called about every second with a line, such as `postings 1200000 of 20000000, 85000 rows/s`. */
export type BuildProgress = (line: string) => void;

/** Creates the bank in a new file or a new database. `url` is `sqlite:<file>` or `postgres://…`. */
export async function buildBank(url: string, plan: BankPlan, onProgress: BuildProgress): Promise<void> {
  await migrateStore(url, { migrate: true, reads: standardReads, connections: standardConnections });
  if (url.startsWith("sqlite:")) buildFile(url.slice("sqlite:".length), plan, onProgress);
  else await copyInto(url, plan, onProgress);
}

const rowsPerCommit = 50_000;

function buildFile(file: string, plan: BankPlan, onProgress: BuildProgress): void {
  const database = new DatabaseSync(file);
  database.exec(
    "PRAGMA journal_mode = DELETE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; " +
      "PRAGMA foreign_keys = OFF; PRAGMA cache_size = -600000",
  );
  for (const { table, columns, count, rows } of bankRows(plan)) {
    const places = columns.map(() => "?").join(", ");
    const insert = database.prepare(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places})`);
    const report = reportEvery(table, count, onProgress);
    database.exec("BEGIN");
    let written = 0;
    for (const row of rows) {
      insert.run(...row.map(sqliteValue));
      written += 1;
      report(written);
      if (written % rowsPerCommit === 0) database.exec("COMMIT; BEGIN");
    }
    database.exec("COMMIT");
  }
  database.exec("PRAGMA journal_mode = WAL");
  database.close();
}

/** By COPY, as a superuser: references are not checked row by row, and indexes are built over whole tables afterwards. */
async function copyInto(url: string, plan: BankPlan, onProgress: BuildProgress): Promise<void> {
  const client = new GuardedClient(url);
  await client.connect();
  try {
    await client.query("SET session_replication_role = replica");
    await client.query("SET maintenance_work_mem = '1GB'");
    for (const rows of bankRows(plan)) {
      await client.query(withoutIndexesSql, [rows.table]);
      await copyTable(client, rows, onProgress);
      onProgress(`indexes of ${rows.table}`);
      await client.query(`REINDEX TABLE ${rows.table}`);
    }
    await client.query("VACUUM ANALYZE");
  } finally {
    await client.end();
  }
}

/** Rows that come now are in no index of the table until they are all built anew: REINDEX makes them ready again. */
const withoutIndexesSql = "UPDATE pg_index SET indisready = false WHERE indrelid = $1::regclass";

/** Bytes that are sent at once. */
const portionBytes = 256 * 1024;

/** The driver has no COPY of its own: it calls these methods, and the rows go to its socket (protocol 3.0, 54.2.5). */
function copyTable(client: pg.Client, rows: BankRows, onProgress: BuildProgress): Promise<void> {
  const { table, columns } = rows;
  return new Promise((resolve, reject) => {
    client.query({
      submit: (connection: pg.Connection) =>
        connection.query(`COPY ${table} (${columns.join(", ")}) FROM STDIN`),
      handleCopyInResponse: ({ stream }: pg.Connection) =>
        void sendRows(stream, rows, onProgress).catch(reject),
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => resolve(),
      handleError: reject,
    });
  });
}

async function sendRows(
  stream: Writable,
  { table, count, rows }: BankRows,
  onProgress: BuildProgress,
): Promise<void> {
  const report = reportEvery(table, count, onProgress);
  let text = "";
  let written = 0;
  const flush = async (): Promise<void> => {
    const flowing = stream.write(message("d", Buffer.from(text)));
    text = "";
    if (!flowing) await once(stream, "drain");
  };
  for (const row of rows) {
    text += `${row.map(copyText).join("\t")}\n`;
    written += 1;
    report(written);
    if (text.length >= portionBytes) await flush();
  }
  if (text !== "") await flush();
  stream.write(message("c", Buffer.alloc(0)));
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function copyText(value: ColumnValue): string {
  if (value === null) return "\\N";
  return typeof value === "string"
    ? value.replace(/[\\\t\n\r]/g, (sign) => escapes[sign] ?? sign)
    : String(value);
}

const reportEveryMs = 1_000;

function reportEvery(table: string, count: number, onProgress: BuildProgress): (written: number) => void {
  const begunAtMs = performance.now();
  let reportedAtMs = begunAtMs;
  return (written) => {
    if (written % 1_024 !== 0) return;
    const nowMs = performance.now();
    if (nowMs - reportedAtMs < reportEveryMs) return;
    reportedAtMs = nowMs;
    const perSecond = Math.round((written * 1_000) / (nowMs - begunAtMs));
    onProgress(`${table} ${written} of ${count}, ${perSecond} rows/s`);
  };
}
