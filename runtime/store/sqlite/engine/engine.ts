import type { ReadEngine, WriteEngine } from "../../common/engine.ts";
import { decodeRow, type Sealing } from "../../common/sealing.ts";
import type { Listing } from "../../sql/listing.ts";
import { oncePer } from "../../../contract/values.ts";
import { createStatementCache, replacementOf, countStatement, type Statement } from "../../sql/statements.ts";
import {
  deadDeliveries,
  dueMails,
  eventsOfInstitution,
  mailsInState,
  openDeliveries,
  countedOfSubscription,
  openOfSubscription,
  partRead,
  type ColumnValue,
  type QueryShape,
  type Table,
  type TablePart,
} from "../../tables/index.ts";
import { type Connection, sqliteDialect, sqliteValue, type SqliteValue } from "../connection.ts";
import { storeErrorOf } from "../errors.ts";
import type { Readers } from "../reading/readers.ts";
import { runRead } from "../reading/reader-tasks.ts";

const statements = createStatementCache(sqliteDialect);
const shortCounts = oncePer((query: QueryShape) => countStatement(query, sqliteDialect, shortCountMax));

/** Rows that are counted here, at most; more are counted by a thread. */
const shortCountMax = 1_000;

/**
 * A reading engine that leaves to threads what takes long: lists, and what is asked of all deliveries to
 * come where they are many. Threads see a state of their own, that of the connection or of a later commit.
 */
export function threadedEngine(connection: Connection, readers: Readers, sealing: Sealing): ReadEngine {
  const engine = readEngine(connection, sealing);
  const isLong = (query: QueryShape, values: readonly ColumnValue[]): boolean => {
    if (!longQueries.has(query)) return false;
    const { sql, parameters } = shortCounts(query);
    const [counted] = connection.row(sql, bound(values.slice(0, parameters.length))) ?? [];
    return Number(counted) === shortCountMax;
  };
  return {
    ...engine,
    one: (query, values) => {
      if (!isLong(query, values)) return engine.one(query, values);
      return readers
        .rows(statements.select(query).sql, bound(values))
        .then(([row]) => (row === undefined ? undefined : decoded(query.table, row, sealing)));
    },
    count: (query, values) => {
      if (!isLong(query, values)) return engine.count(query, values);
      return readers.rows(statements.count(query).sql, bound(values)).then(([row]) => Number(row?.[0]));
    },
    list: (listing, asked) => {
      if (listing.isShort(asked)) return engine.list(listing, asked);
      return readers.list(listing, asked).then((rows) => decodedList(listing, rows, sealing));
    },
  };
}

const longQueries: ReadonlySet<QueryShape> = new Set<QueryShape>([
  openDeliveries,
  openOfSubscription,
  countedOfSubscription,
  deadDeliveries,
  dueMails,
  eventsOfInstitution,
  mailsInState,
]);

/** Answers from a connection, at once: nothing else comes between a question and its answer. */
export function readEngine(connection: Connection, sealing: Sealing): ReadEngine {
  return {
    one: (query, values) => {
      const statement = statements.select(query);
      const row = connection.row(statement.sql, bound(values));
      return row === undefined ? undefined : decoded(query.table, row, sealing);
    },
    many: (query, values) => {
      const statement = statements.select(query);
      const rows = connection.rows(statement.sql, bound(values));
      const part = partRead(query);
      return rows.map((row) => decoded(part, row, sealing));
    },
    count: (query, values) => {
      const statement = statements.count(query);
      const [counted] = connection.row(statement.sql, bound(values)) ?? [];
      return Number(counted);
    },
    list: (listing, asked) => {
      const rows = runRead(connection, listing.steps(asked, sqliteDialect), Infinity);
      return decodedList(listing, rows, sealing);
    },
  };
}

/** Changes through a connection that has a transaction open. */
export function writeEngine(connection: Connection, sealing: Sealing): WriteEngine {
  return {
    ...readEngine(connection, sealing),
    insertAll: (table, records) => writeAll(connection, statements.insert(table), table, records, sealing),
    putAll: (table, records) => writeAll(connection, statements.put(table), table, records, sealing),
    replace: (table, record, before) => {
      const { sql, parameters } = replacementOf(statements, table, record, before);
      const values = sealing.sealed(parameters, table.encodeColumns(record, parameters));
      const touched = change(connection, table.name, sql, bound(values));
      if (touched === 0) throw new Error(`${table.name}: no record to replace`);
    },
    update: (query, changes, values) => {
      const changed = query.table.changeOf(changes);
      const statement = statements.update(query)(changed.columns);
      const given = bound([...sealing.sealed(changed.columns, changed.encode(changes)), ...values]);
      return change(connection, query.table.name, statement.sql, given);
    },
    take: (query, values) => {
      const select = statements.select(query);
      const found = connection.rows(select.sql, bound(values));
      const statement = statements.take(query);
      change(connection, query.table.name, statement.sql, bound(values));
      return found.map((row) => decoded(query.table, row, sealing));
    },
    remove: (query, values) => {
      const statement = statements.delete(query);
      change(connection, query.table.name, statement.sql, bound(values));
    },
  };
}

function writeAll<R>(
  connection: Connection,
  { sql }: Statement,
  table: Table<R>,
  records: readonly R[],
  sealing: Sealing,
): void {
  for (const record of records) {
    change(connection, table.name, sql, bound(sealing.sealed(table.columns, table.encode(record))));
  }
}

/** After some failures SQLite has rolled back: a change would then be a transaction of its own. */
function change(connection: Connection, table: string, sql: string, values: readonly SqliteValue[]): number {
  if (!connection.isTransaction) throw new Error("the transaction was rolled back");
  try {
    return connection.change(sql, values);
  } catch (error) {
    throw storeErrorOf(table, error);
  }
}

function bound(values: readonly ColumnValue[]): readonly SqliteValue[] {
  return values.map(sqliteValue);
}

function decoded<R>(part: TablePart<R>, row: readonly SqliteValue[], sealing: Sealing): R {
  return decodeRow(part, row, sqliteDialect, sealing);
}

function decodedList<Asked, R>(
  { decode }: Listing<Asked, R>,
  rows: readonly (readonly SqliteValue[])[],
  sealing: Sealing,
): readonly R[] {
  return rows.map((row) => decode(row, (part) => decoded(part, row, sealing)));
}
