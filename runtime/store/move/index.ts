import { type LedgerVerification, UnavailableError } from "../ports/index.ts";
import { standardConnections, StoreOpenError } from "../common/adapter.ts";
import { createConnections, type Session } from "../postgres/connections.ts";
import { postgresAdapter } from "../postgres/index.ts";
import {
  applyMigrations,
  isMigrated,
  requireUpToDate,
  advanceMove,
  beginMove,
  endMove,
  isMoveUnderWay,
  rowsMoved,
} from "../postgres/migrate.ts";
import { verifyPostgres } from "../postgres/verify/verify.ts";
import { withRawRows, type RawRow, type RawRows, type RawTable } from "../sqlite/raw-rows.ts";
import { versions } from "../postgres/schema.ts";
import { type Schema, recordTables, sealKeys } from "../tables/schema.ts";
import { oncePer } from "../../contract/values.ts";
import type { TableShape } from "../tables/table.ts";
import { createHash, type Hash } from "node:crypto";

export interface MoveOptions {
  readonly schema: Schema;
  /** The SQLite file that is read. */
  readonly file: string;
  /** The PostgreSQL database, empty or with a part that an interrupted move left. */
  readonly url: string;
  /** Called now and then with the number of rows moved, and how many there are. */
  readonly onProgress: (rows: number, of: number) => void;
}

export interface Moved {
  readonly rows: number;
  /** The key that everything stays sealed with. */
  readonly sealKeyId: string | undefined;
  readonly verification: LedgerVerification;
}

/** Values of one statement; PostgreSQL takes 65,535. */
const valuesAtOnce = 20_000;
const rowsAtOnce = 1_000;
/** How errors name the database, whose URL may hold a password. */
const target = "to move to";

/** Throws a `StoreOpenError` where a URL names no PostgreSQL database. */
export function requireMoveTarget(url: string | undefined): asserts url is string {
  if (url !== undefined && postgresAdapter.schemes.some((scheme) => url.startsWith(scheme))) return;
  throw new StoreOpenError(
    "Name the PostgreSQL database to move to: --to postgres://… or LEDGER_DATABASE_URL",
  );
}

/**
 * Moves all that is in an SQLite file to a PostgreSQL database, some rows to a transaction; run again after an
 * interruption, it goes on. Ends with comparing every row and verifying the books. The file is not changed. Until the move
 * has ended no service starts on the database.
 * @throws StoreOpenError where a process has the file open, the database is not empty, or the outcome is not the same.
 */
export async function moveStore({ schema, file, url, onProgress }: MoveOptions): Promise<Moved> {
  return withRawRows(file, schema, async (source) => {
    const connections = createConnections(url, {
      ...standardConnections,
      poolSize: 1,
      statementTimeoutMs: 0,
    });
    try {
      const session = namedSession(
        target,
        await connections.session().catch((error: unknown) => rejectAs(target, error)),
      );
      let failure: unknown;
      try {
        await prepareTarget(session, schema);
        const rows = await moveAll(source, session, schema, onProgress);
        const verification = await verifyMoved(source, session, schema, url);
        await endMove(session);
        return { rows, sealKeyId: sealKeyIn(source, schema), verification };
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        session.release(failure);
      }
    } finally {
      await connections.close();
    }
  });
}

async function prepareTarget(session: Session, schema: Schema): Promise<void> {
  const known = versions(schema);
  const isContinued = await isMoveUnderWay(session);
  if (!isContinued) {
    if (await isMigrated(session)) await requireUpToDate(session, known);
    await beginMove(session);
  }
  await applyMigrations(session, known);
  if (isContinued) return;
  for (const { name } of movedTables(schema)) {
    if ((await session.rowsOnce(`SELECT 1 FROM ${name} LIMIT 1`, [])).length === 0) continue;
    await endMove(session);
    const rows =
      name === "seal_keys" ? "has the key of a service that was migrated or run on it" : "has rows";
    throw new StoreOpenError(
      `The target is not empty, its table ${name} ${rows}: name a database without tables`,
    );
  }
}

async function moveAll(
  source: RawRows,
  session: Session,
  schema: Schema,
  onProgress: MoveOptions["onProgress"],
): Promise<number> {
  const tables = movedTables(schema);
  const all = tables.reduce((sum, table) => sum + source.count(table), 0);
  let rows = 0;
  for (const table of tables) {
    let moved = await rowsMoved(session, table.name);
    rows += moved;
    for (const batch of batchesAfter(source, table, moved)) {
      await moveBatch(session, table, moved, batch);
      moved += batch.length;
      rows += batch.length;
      onProgress(rows, all);
    }
  }
  return rows;
}

function* batchesAfter(source: RawRows, table: RawTable, moved: number): Generator<readonly RawRow[]> {
  const batchMax = Math.min(rowsAtOnce, Math.floor(valuesAtOnce / table.columns.length));
  let batch: RawRow[] = [];
  let read = 0;
  for (const row of source.rows(table, "insertion")) {
    read += 1;
    if (read <= moved) continue;
    batch.push(row);
    if (batch.length < batchMax) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function moveBatch(
  session: Session,
  table: RawTable,
  moved: number,
  batch: readonly RawRow[],
): Promise<void> {
  const values = batch.flat();
  if (values.some((value) => value?.includes("\0"))) {
    throw new StoreOpenError(
      `${table.name}: one of the rows ${moved + 1} to ${moved + batch.length} has a text with U+0000, which PostgreSQL ` +
        "does not keep: change it in the source, then move again",
    );
  }
  const width = table.columns.length;
  const places = batch.map(
    (_row, index) => `(${table.columns.map((_column, at) => `$${index * width + at + 1}`).join(", ")})`,
  );
  const list = table.columns.map(({ name }) => name).join(", ");
  await session.execute("BEGIN");
  try {
    await session.rowsOnce(`INSERT INTO ${table.name} (${list}) VALUES ${places.join(", ")}`, values);
    await advanceMove(session, table.name, moved, moved + batch.length);
    await session.execute("COMMIT");
  } catch (error) {
    await session.execute("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

async function verifyMoved(
  source: RawRows,
  session: Session,
  schema: Schema,
  url: string,
): Promise<LedgerVerification> {
  // Plans for the rows that are there now.
  await session.execute("ANALYZE");
  for (const table of movedTables(schema)) await requireSameContent(source, session, table);
  await session.execute(
    "UPDATE audit_numbers SET last = (SELECT coalesce(max(sequence), 0) FROM audit_entries) WHERE id = 1",
  );
  const verification = await verifyPostgres(url, schema, undefined);
  if (verification.isSound) return verification;
  throw new StoreOpenError(
    `The books are not sound, in the source neither: ${verification.findings.length} findings. Look at them with ` +
      "`ledger-server verify` on the source; the move is not ended",
  );
}

function sealKeyIn(source: RawRows, schema: Schema): string | undefined {
  for (const table of movedTables(schema).filter(({ name }) => name === "seal_keys")) {
    for (const [keyId] of source.rows(table, "key")) return keyId ?? undefined;
  }
  return undefined;
}

/** Every table whose rows are moved, those that others refer to first. What a store derives from them is not among them. */
export const movedTables: (schema: Schema) => readonly RawTable[] = oncePer((schema) =>
  [...recordTables(schema), sealKeys].map(rawTable),
);

function rawTable({ name, columns, key, sequenceColumn, columnsBeside }: TableShape): RawTable {
  const numbered = sequenceColumn === undefined ? [] : [{ name: sequenceColumn, type: "integer" as const }];
  return {
    name,
    columns: [...columns, ...columnsBeside, ...numbered],
    key: key.map((column) => column.name),
  };
}

/** Throws a `StoreOpenError` unless both have the same rows in a table, compared by a hash over all of their values. */
export async function requireSameContent(source: RawRows, target: Session, table: RawTable): Promise<void> {
  const moved = createHash("sha256");
  let rows = 0;
  for await (const row of rowsByKey(target, table)) {
    add(moved, row);
    rows += 1;
  }
  const kept = createHash("sha256");
  for (const row of source.rows(table, "key")) add(kept, row);
  const count = source.count(table);
  if (rows === count && moved.digest("hex") === kept.digest("hex")) return;
  throw new StoreOpenError(
    `${table.name}: the target has ${rows} rows and not the content of the ${count} of the source. Did a service write ` +
      "to one of them since the move began? Empty the target (drop and create the database) and move again",
  );
}

function add(hash: Hash, row: readonly unknown[]): void {
  hash.update(JSON.stringify(row)).update("\n");
}

async function* rowsByKey(target: Session, { name, columns, key }: RawTable) {
  const list = columns.map((column) => column.name).join(", ");
  await target.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  await target.execute(
    `DECLARE moved NO SCROLL CURSOR FOR SELECT ${list} FROM ${name} ORDER BY ${key.join(", ")}`,
  );
  let batch = await target.rowsOnce(`FETCH ${rowsAtOnce} FROM moved`, []);
  while (batch.length > 0) {
    yield* batch;
    batch = await target.rowsOnce(`FETCH ${rowsAtOnce} FROM moved`, []);
  }
  await target.execute("COMMIT");
}

/** A session that says which database is away or full: a move has two. */
export function namedSession(name: string, session: Session): Session {
  const naming = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((error: unknown) => rejectAs(name, error));
  return {
    rows: (...question) => naming(session.rows(...question)),
    rowsOnce: (...question) => naming(session.rowsOnce(...question)),
    change: (...question) => naming(session.change(...question)),
    execute: (sql) => naming(session.execute(sql)),
    release: session.release,
  };
}

/** Throws what a database rejected with, with its name where it is unavailable. */
export function rejectAs(name: string, error: unknown): never {
  if (!(error instanceof UnavailableError)) throw error;
  throw new StoreOpenError(
    `Database ${name}: ${error.message}. Nothing is lost; afterwards run the same command again`,
    { cause: error },
  );
}
