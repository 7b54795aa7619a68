import { DuplicateRecordError } from "../../ports/index.ts";
import { type ReadEngine, type WriteEngine, together } from "../../common/engine.ts";
import { type Sealing, decodeRow } from "../../common/sealing.ts";
import type { Listing } from "../../sql/listing.ts";
import { oncePer } from "../../../contract/values.ts";
import { createStatementCache, replacementOf } from "../../sql/statements.ts";
import {
  partRead,
  type ColumnValue,
  type PartQuery,
  type Query,
  type QueryShape,
  type Table,
  type TableShape,
} from "../../tables/index.ts";
import type { Session } from "../connections.ts";
import { pgDialect, pgValue, soughtValue, type PgValue } from "../dialect.ts";
import { storeErrorOf } from "../errors.ts";

const statements = createStatementCache(pgDialect);

/** Reads the rows of a page of a list, within the limits of the store. */
export type ReadList = <Asked, R>(
  session: Session,
  listing: Listing<Asked, R>,
  asked: Asked,
) => Promise<readonly (readonly PgValue[])[]>;

/** Answers from one session, inside its transaction. */
export function readEngine(session: Session, sealing: Sealing, readList: ReadList): ReadEngine {
  const many = async <R>(
    query: Query<R> | PartQuery<R>,
    values: readonly ColumnValue[],
  ): Promise<readonly R[]> => {
    const rows = await session.rows(statements.select(query).sql, sought(values));
    const part = partRead(query);
    return rows.map((row) => decodeRow(part, row, pgDialect, sealing));
  };
  return {
    one: async (query, values) => (await many(query, values))[0],
    many,
    count: async (query, values) => {
      const [row] = await session.rows(statements.count(query).sql, sought(values));
      return Number(row?.[0]);
    },
    list: async (listing, asked) => {
      const rows = await readList(session, listing, asked);
      return rows.map((row) => listing.decode(row, (part) => decodeRow(part, row, pgDialect, sealing)));
    },
  };
}

/** Changes through a session that has a transaction open. */
// oxlint-disable-next-line max-lines-per-function -- a table of the changes that an engine makes, over one connection
export function writeEngine(session: Session, sealing: Sealing, readList: ReadList): WriteEngine {
  const reads = readEngine(session, sealing, readList);
  const change = async (table: string, sql: string, values: readonly PgValue[]): Promise<number> => {
    try {
      return await session.change(sql, values);
    } catch (error) {
      throw storeErrorOf(table, error);
    }
  };
  const writeAll = async <R>(sql: string, table: Table<R>, records: readonly R[]): Promise<void> => {
    // Encoded first: a value that cannot be kept is refused before anything is sent.
    const encoded = records.map((record) => table.encode(record));
    const rows = encoded.map((values) => kept(sealing.sealed(table.columns, values)));
    for (const written of await together(rows.map((values) => change(table.name, sql, values)))) {
      if (written === 0) {
        throw new DuplicateRecordError(`${table.name}: an identifier or unique field is taken`);
      }
    }
  };

  /** Whether no other transaction has the turn that a query waits for. */
  const hasTurn = async ({ locks }: QueryShape): Promise<boolean> =>
    locks !== "turn" || (await session.rows(turnSql, [])).length > 0;
  const many = async <R>(
    query: Query<R> | PartQuery<R>,
    values: readonly ColumnValue[],
  ): Promise<readonly R[]> => {
    if (query.locks === undefined) return reads.many(query, values);
    if (!(await hasTurn(query))) return [];
    if (query.locks === "turn") return reads.many(query, values);
    const rows = await session.rows(lockingSql(query), sought(values));
    const part = partRead(query);
    return rows.map((row) => decodeRow(part, row, pgDialect, sealing));
  };

  return {
    ...reads,
    many,
    one: async (query, values) => (await many(query, values))[0],
    insertAll: async (table, records) => {
      const { unmark } = table;
      const unmarkEach = unmark === undefined ? [] : records.map((record) => unmark(table.encode(record)));
      const unmarked = unmarkEach.map(
        async ({ sql, values }) => void (await change(table.name, sql, kept(values))),
      );
      await together([writeAll(insertSql(table), table, records), ...unmarked]);
    },
    putAll: (table, records) => writeAll(statements.put(table).sql, table, records),
    replace: async (table, record, before) => {
      const { sql, parameters } = replacementOf(statements, table, record, before);
      const values = sealing.sealed(parameters, table.encodeColumns(record, parameters));
      const touched = await change(table.name, sql, kept(values));
      if (touched === 0) throw new Error(`${table.name}: no record to replace`);
    },
    update: async (query, changes, values) => {
      const fields = query.table.changeOf(changes);
      const statement = statements.update(query)(fields.columns);
      const given = [...sealing.sealed(fields.columns, fields.encode(changes)), ...values];
      return change(query.table.name, statement.sql, kept(given));
    },
    take: async (query, values) => {
      if (!(await hasTurn(query))) return [];
      const rows = await session.rows(statements.select(query).sql, sought(values));
      const { sql } = statements.delete(query.table.byKey);
      const keys = rows.map((row) => query.table.key.map(({ index }) => row[index] ?? null));
      await together(keys.map((key) => change(query.table.name, sql, key)));
      return rows.map((row) => decodeRow(query.table, row, pgDialect, sealing));
    },
    remove: async (query, values) => {
      await change(query.table.name, statements.delete(query).sql, sought(values));
    },
  };
}

/** A taken key makes no error, after which nothing could be done: it writes no row. */
const insertSql = oncePer((table: TableShape) => `${statements.insert(table).sql} ON CONFLICT DO NOTHING`);

/** Rows that the transaction is to change: it waits for others, or passes over what they hold. */
export const lockingSql = oncePer((query: QueryShape) => {
  const { sql } = statements.select(query);
  return `${sql} FOR NO KEY UPDATE${query.locks === "skip" ? " SKIP LOCKED" : ""}`;
});
const turnSql = "SELECT 1 FROM gate WHERE id = 2 FOR UPDATE SKIP LOCKED";

/** Values that are looked for. */
function sought(values: readonly ColumnValue[]): readonly PgValue[] {
  return values.map(soughtValue);
}

/** Values that are to be kept. */
function kept(values: readonly ColumnValue[]): readonly PgValue[] {
  return values.map(pgValue);
}
