import { oncePer } from "../../../contract/values.ts";
import { type Sealing, decodeRow } from "../../common/sealing.ts";
import type { ColumnValue, PartQuery, Query, QueryShape, TableShape } from "../../tables/index.ts";
import type { Beside, Lookup } from "../../tables/schema.ts";
import type { Connections, PgRow, Session } from "../connections.ts";
import { pgDialect, soughtValue, type PgValue } from "../dialect.ts";

/** Begins a lookup where a question is for a record that the schema has one for. */
export type LookUp = (query: QueryShape, values: readonly ColumnValue[]) => LookedUp | undefined;

/** A record with those beside it. */
export interface LookedUp {
  /** A record that was found; `undefined` where it was not among them. */
  one<R>(query: Query<R>, values: readonly ColumnValue[]): Promise<R | undefined>;
  /** Records that were found; `undefined` unless all that are asked for were. */
  many<R>(query: Query<R> | PartQuery<R>, values: readonly ColumnValue[]): Promise<readonly R[] | undefined>;
  /** Asks again at once. Rejects with a `StaleLookupError` where the answer differs. */
  requireSame(session: Session): Promise<void>;
}

/** A record was changed after it was looked up: the result must not be used. */
export class StaleLookupError extends Error {
  override readonly name = "StaleLookupError";
}

/** Those behind them do not wait long for a statement of so many. */
const keysMax = 64;

type Key = readonly string[];

/** A statement that many keys are asked for by, and who waits for them. */
interface Batch {
  readonly lookup: Lookup;
  readonly sql: string;
  waiting: Waiting[];
}

interface Waiting {
  readonly key: Key;
  resolve(value: PgValue | undefined): void;
  reject(error: unknown): void;
}

/**
 * Records asked for in one turn of the event loop travel in one statement: the server and the driver have the work of
 * one.
 */
export function createLookUp(connections: Connections, lookups: readonly Lookup[], sealing: Sealing): LookUp {
  const ask = createSharedSession(connections);
  const batches = lookups.map((lookup): Batch => ({ lookup, sql: lookupSql(lookup), waiting: [] }));

  function find(batch: Batch, key: Key): Promise<PgValue | undefined> {
    return new Promise((resolve, reject) => {
      if (batch.waiting.length === 0) setImmediate(askAll, batch);
      batch.waiting.push({ key, resolve, reject });
    });
  }

  function askAll(batch: Batch): void {
    const asked = batch.waiting;
    batch.waiting = [];
    for (let at = 0; at < asked.length; at += keysMax) void answer(batch, asked.slice(at, at + keysMax));
  }

  async function answer({ sql }: Batch, asked: readonly Waiting[]): Promise<void> {
    try {
      const rows = await ask(sql, keyValues(asked.map(({ key }) => key)));
      const values = new Map(rows.map(([place, value]) => [Number(place), value]));
      for (const [at, { resolve }] of asked.entries()) resolve(values.get(at + 1) ?? undefined);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  return (query, values) => {
    const batch = batches.find(({ lookup }) => isByKey(query) && lookup.table === query.table);
    if (batch === undefined) return undefined;
    const key = values.map(String);
    return lookedUp(batch, key, find(batch, key), sealing);
  };
}

function lookedUp(
  { lookup, sql }: Batch,
  key: Key,
  text: Promise<PgValue | undefined>,
  sealing: Sealing,
): LookedUp {
  const found = text.then((given) => rowsOf(lookup, given));
  // Whoever asks first hears of it.
  found.catch(() => undefined);
  const ofTable = async (table: TableShape): Promise<readonly PgRow[]> =>
    (await found).flatMap((each) => (each.table === table ? each.rows : []));
  return {
    one: async (query, values) => {
      if (!isByKey(query)) return undefined;
      const { table } = query;
      const rows = await ofTable(table);
      const row = rows.find((each) => table.key.every(({ index }, at) => each[index] === values[at]));
      return row === undefined ? undefined : decodeRow(table, row, pgDialect, sealing);
    },
    many: async (query, values) => {
      if (query.part !== undefined || !isByKeys(query)) return undefined;
      const { table } = query;
      const sought: readonly string[] = JSON.parse(String(values.at(-1)));
      const keys = new Set(sought.map((last) => JSON.stringify([...values.slice(0, -1), last])));
      const rows = (await ofTable(table)).filter((row) =>
        keys.has(JSON.stringify(table.key.map(({ index }) => row[index]))),
      );
      return rows.length < keys.size
        ? undefined
        : rows.map((row) => decodeRow(table, row, pgDialect, sealing));
    },
    requireSame: async (session) => {
      const again = session.rows(sql, keyValues([key]));
      const [before, [[, now] = []]] = await Promise.all([text, again]);
      if (before !== (now ?? undefined)) throw new StaleLookupError("the record was changed meanwhile");
    },
  };
}

/** Whether a query is for one record by its key. */
const isByKey = oncePer(
  ({ table, where, part, locks }: QueryShape) =>
    part === undefined &&
    locks === undefined &&
    where.length === table.key.length &&
    where.every(({ column, op }, index) => op === "=" && column === table.key[index]),
);

/** Whether a query is for several records by their keys, which differ in the last column. */
const isByKeys = oncePer(
  ({ table, where, order, limited, locks }: QueryShape) =>
    order === undefined &&
    !limited &&
    locks === undefined &&
    where.length === table.key.length &&
    where.every(
      ({ column, op }, index) =>
        column === table.key[index] && op === (index === table.key.length - 1 ? "in" : "="),
    ),
);

interface FoundRows {
  readonly table: TableShape;
  readonly rows: readonly PgRow[];
}

function rowsOf({ table, beside }: Lookup, text: PgValue | undefined): readonly FoundRows[] {
  if (text === undefined) return [];
  const [row, ...others]: readonly [PgRow, ...(readonly PgRow[] | null)[]] = JSON.parse(String(text));
  return [
    { table, rows: [row] },
    ...others.map((rows, at) => ({ table: beside[at]?.table ?? table, rows: rows ?? [] })),
  ];
}

/** The parameters of a lookup: for each column of the key, an array of its values. */
function keyValues(keys: readonly Key[]): readonly PgValue[] {
  const [first = []] = keys;
  return first.map((_value, part) =>
    JSON.stringify(keys.map((key) => String(soughtValue(key[part] ?? "")).toWellFormed())),
  );
}

/**
 * For each key its place, from 1, and one JSON text: the record, then for each relation the rows beside it or null. No joins: their
 * planner may read all records with the first column of the key while it knows little of the tables.
 */
export function lookupSql({ table, beside }: Lookup): string {
  const columns = table.key.map(({ name }) => name);
  const parts = [rowSql(table, "a"), ...beside.map(besideSql)];
  const lists = columns.map((_name, at) => `ARRAY(SELECT json_array_elements_text($${at + 1}::json))`);
  return (
    `SELECT sought.place, (SELECT json_build_array(${parts.join(", ")}) FROM ${table.name} a ` +
    `WHERE ${columns.map((name) => `a.${name} = sought.${name}`).join(" AND ")}) ` +
    `FROM unnest(${lists.join(", ")}) WITH ORDINALITY AS sought (${columns.join(", ")}, place)`
  );
}

function besideSql({ table, by, isList = false }: Beside): string {
  const terms = table.key.map(({ name }, at) => {
    const from = `a.${by[at]?.name}`;
    const isOfList = isList && at === table.key.length - 1;
    return `b.${name} = ${isOfList ? `ANY (ARRAY(SELECT jsonb_array_elements_text(${from}::jsonb)))` : from}`;
  });
  return `(SELECT json_agg(${rowSql(table, "b")}) FROM ${table.name} b WHERE ${terms.join(" AND ")})`;
}

/** A row as one value: describing and reading a hundred columns takes longer than finding them. */
function rowSql(table: TableShape, alias: string): string {
  const values = table.columns.map(
    ({ name, type }) => `${alias}.${name}${type === "boolean" ? "" : "::text"}`,
  );
  return `json_build_array(${values.join(", ")})`;
}

interface Held {
  readonly opened: Promise<Session>;
  users: number;
  failure?: unknown;
}

/**
 * Asks quick statements of one connection, outside of any transaction; those behind a statement wait for its answer. Takes the
 * connection while there are questions. Questions of many callers travel together, so that the server and the driver wake
 * up for several of them at a time.
 */
function createSharedSession(connections: Connections): Session["rows"] {
  let current: Held | undefined;

  /** Callers that come after this take another connection. */
  function leave(held: Held): void {
    if (current === held) current = undefined;
  }

  function giveBack({ opened, failure }: Held): void {
    void opened.then(
      (session) => session.release(failure),
      () => undefined,
    );
  }

  return async (sql, values) => {
    const held = (current ??= { opened: connections.session(), users: 0 });
    held.users += 1;
    try {
      const session = await held.opened;
      return await session.rows(sql, values);
    } catch (error) {
      held.failure ??= error;
      leave(held);
      throw error;
    } finally {
      held.users -= 1;
      if (held.users === 0) {
        leave(held);
        giveBack(held);
      }
    }
  };
}
