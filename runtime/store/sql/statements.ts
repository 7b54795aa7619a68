import {
  type ColumnShape,
  type Condition,
  type QueryShape,
  type TableShape,
  countMax,
  type Table,
} from "../tables/index.ts";
import type { SqlDialect } from "./dialect.ts";
import { oncePer } from "../../contract/values.ts";

/** SQL text, and for each parameter the column that its value is of. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly ColumnShape[];
}

/** The parts of a dialect that statement texts depend on. */
type Words = Pick<SqlDialect<unknown>, "placeholder" | "isOneOf" | "limit" | "ofGroup" | "nextNumber">;

/** The columns of a table, or of a part of it, as a select list. */
export function columnList(table: Pick<TableShape, "columns">, alias?: string): string {
  const prefix = alias === undefined ? "" : `${alias}.`;
  return table.columns.map(({ name }) => `${prefix}${name}`).join(", ");
}

/** Where a query is limited, its last parameter is the limit, an integer. */
export function selectStatement(query: QueryShape, words: Words): Statement {
  if (query.firstOf !== undefined) return firstOfStatement(query, query.firstOf, words);
  const { table, part = table } = query;
  const rest = restOf(query, 0, words);
  return { ...rest, sql: `SELECT ${columnList(part)} FROM ${table.name}${rest.sql}` };
}

/**
 * Finds each value of the column by a search of its own, and so skips the other records of a value. The table needs an
 * index that begins with the columns of `where` and continues with this column.
 */
function firstOfStatement(query: QueryShape, firstOf: ColumnShape, words: Words): Statement {
  const { table, part = table, where, order } = query;
  const { name: group } = firstOf;
  const { sql: whereClause, parameters } = restOf({ table, where, limited: false }, 0, words);
  const limit = words.limit(words.placeholder(where.length + 1));
  const least = `SELECT min(${group}) FROM ${table.name}${whereClause}`;
  // A value that follows another one meets what bounds the first: with two bounds, SQLite searches by the wrong one.
  const terms = where.flatMap(({ column, op }, index) =>
    column === firstOf ? [] : [termOf(column.name, op, words.placeholder(index + 1), words)],
  );
  const and = ` WHERE ${terms.map((term) => `${term} AND `).join("")}`.trimEnd();
  const orderNames = order === "insertion" ? table.sequenceColumn : order?.map(({ name }) => name).join(", ");
  const first = words.ofGroup(
    table,
    columnList(part, "record"),
    `FROM ${table.name}${and} ${group} = groups.value ORDER BY ${orderNames} LIMIT 1`,
  );
  return {
    parameters,
    sql:
      `WITH RECURSIVE groups (value, number) AS (SELECT (${least}), 1 UNION ALL ` +
      `SELECT (SELECT min(${group}) FROM ${table.name}${and} ${group} > groups.value), groups.number + 1 ` +
      `FROM groups WHERE groups.value IS NOT NULL AND groups.number < ${limit}) ${first} ORDER BY groups.value`,
  };
}

/** Counts no further than `max`. */
export function countStatement(query: QueryShape, words: Words, max: number): Statement {
  const rest = restOf(unordered(query), 0, words);
  const counted = `SELECT 1 FROM ${query.table.name}${rest.sql} LIMIT ${max}`;
  return { ...rest, sql: `SELECT count(*) FROM (${counted}) AS counted` };
}

function deleteStatement(query: QueryShape, words: Words): Statement {
  const rest = restOf(unordered(query), 0, words);
  return { ...rest, sql: `DELETE FROM ${query.table.name}${rest.sql}` };
}

/** Removes what `selectStatement` gives. */
function takeStatement(query: QueryShape, words: Words): Statement {
  const { table } = query;
  const key = table.sequenceColumn ?? table.key.map(({ name }) => name).join(", ");
  const rest = restOf(query, 0, words);
  const chosen = `SELECT ${key} FROM ${table.name}${rest.sql}`;
  return { ...rest, sql: `DELETE FROM ${table.name} WHERE (${key}) IN (${chosen})` };
}

/** Changes some columns of all records that match. Their values come before the query's. */
export function updateStatement(query: QueryShape, changed: readonly ColumnShape[], words: Words): Statement {
  const assignments = changed.map(({ name }, index) => `${name} = ${words.placeholder(index + 1)}`);
  const rest = restOf(unordered(query), changed.length, words);
  return {
    sql: `UPDATE ${query.table.name} SET ${assignments.join(", ")}${rest.sql}`,
    parameters: [...changed, ...rest.parameters],
  };
}

/** All records that match, whatever their order. */
function unordered({ table, where, present, absent }: QueryShape): QueryShape {
  return { table, where, limited: false, ...(present && { present }), ...(absent && { absent }) };
}

function insertStatement(table: TableShape, words: Words): Statement {
  const placeOf = ({ index }: ColumnShape): string => words.placeholder(index + 1);
  const places = table.columns.map((column) => {
    const within = table.numbered.find((numbered) => numbered.column === column)?.within;
    if (within === undefined) return placeOf(column);
    return words.nextNumber(table, column.name, placeOf(column), {
      column: within.name,
      parameter: placeOf(within),
    });
  });
  return {
    sql: `INSERT INTO ${table.name} (${columnList(table)}) VALUES (${places.join(", ")})`,
    parameters: table.columns,
  };
}

/** Inserts a record, or replaces the one with its key. */
function putStatement(table: TableShape, words: Words): Statement {
  const insert = insertStatement(table, words);
  const key = table.key.map(({ name }) => name).join(", ");
  const assignments = table.columns
    .filter((column) => !table.key.includes(column))
    .map(({ name }) => `${name} = excluded.${name}`);
  return { ...insert, sql: `${insert.sql} ON CONFLICT (${key}) DO UPDATE SET ${assignments.join(", ")}` };
}

/** Replaces the record with the same key, but for some columns. */
function replaceStatement(table: TableShape, kept: readonly ColumnShape[], words: Words): Statement {
  const changed = table.columns.filter((column) => !table.key.includes(column) && !kept.includes(column));
  const assignments = changed.map(({ name }, index) => `${name} = ${words.placeholder(index + 1)}`);
  const conditions = table.key.map(
    ({ name }, index) => `${name} = ${words.placeholder(changed.length + index + 1)}`,
  );
  return {
    sql: `UPDATE ${table.name} SET ${assignments.join(", ")} WHERE ${conditions.join(" AND ")}`,
    parameters: [...changed, ...table.key],
  };
}

/** The text after the table's name: condition, order and limit. `offset` parameters come before. */
function restOf(query: QueryShape, offset: number, words: Words): Statement {
  const { table, where, present, absent, order, descending, after, limited } = query;
  const ordered = order === "insertion" ? [] : (order ?? []);
  const parameters = [...where.map(({ column }) => column), ...(after ? ordered : [])];
  const places = [...parameters, "limit"].map((_parameter, index) => words.placeholder(offset + index + 1));
  // An expression keeps the index of its column from being used, in every SQL database.
  const terms = where.map(({ column, op, isSifting }, index) =>
    termOf(isSifting ? `coalesce(${column.name}, NULL)` : column.name, op, places[index] ?? "", words),
  );
  if (present) terms.push(`${present.name} IS NOT NULL`);
  if (absent) terms.push(`${absent.name} IS NULL`);
  const names = ordered.map(({ name }) => name);
  if (after) {
    const place = places.slice(where.length, parameters.length).join(", ");
    terms.push(`(${names.join(", ")}) ${descending ? "<" : ">"} (${place})`);
  }
  const whereClause = terms.length === 0 ? "" : ` WHERE ${terms.join(" AND ")}`;
  const orderNames = order === "insertion" ? [table.sequenceColumn ?? ""] : names;
  const directed = orderNames.map((name) => (descending ? `${name} DESC` : name)).join(", ");
  const orderClause = order === undefined ? "" : ` ORDER BY ${directed}`;
  const limitClause = limited ? ` LIMIT ${words.limit(places.at(-1) ?? "")}` : "";
  return { sql: `${whereClause}${orderClause}${limitClause}`, parameters };
}

function termOf(name: string, op: Condition["op"], place: string, { isOneOf }: Words): string {
  // `replace` finds a text in every SQL database, whatever signs it has.
  if (op === "contains") return `replace(${name}, ${place}, '') <> ${name}`;
  return op === "in" ? isOneOf(name, place) : `${name} ${op} ${place}`;
}

/** The statements of one dialect, each made once. */
interface StatementCache {
  readonly select: (query: QueryShape) => Statement;
  readonly count: (query: QueryShape) => Statement;
  readonly delete: (query: QueryShape) => Statement;
  readonly take: (query: QueryShape) => Statement;
  /** The statement for each set of columns that a query's records are changed in. */
  readonly update: (query: QueryShape) => (changed: readonly ColumnShape[]) => Statement;
  readonly insert: (table: TableShape) => Statement;
  readonly put: (table: TableShape) => Statement;
  readonly replace: (table: TableShape) => Statement;
  /** As `replace`, but for the costly columns. */
  readonly replaceCheaply: (table: TableShape) => Statement;
}

/** The statement that replaces a record. `before`: the record as it is stored, where that is known. */
export function replacementOf<R>(
  { replace, replaceCheaply }: StatementCache,
  table: Table<R>,
  record: R,
  before: R | undefined,
): Statement {
  return before !== undefined && table.isCostlySame(before, record) ? replaceCheaply(table) : replace(table);
}

export function createStatementCache(words: Words): StatementCache {
  return {
    select: oncePer((query) => selectStatement(query, words)),
    count: oncePer((query) => countStatement(query, words, query.countTo ?? countMax)),
    delete: oncePer((query) => deleteStatement(query, words)),
    take: oncePer((query) => takeStatement(query, words)),
    update: oncePer((query) => oncePer((changed) => updateStatement(query, changed, words))),
    insert: oncePer((table) => insertStatement(table, words)),
    put: oncePer((table) => putStatement(table, words)),
    replace: oncePer((table) => replaceStatement(table, table.keptByReplace, words)),
    replaceCheaply: oncePer((table) =>
      replaceStatement(table, [...table.keptByReplace, ...table.costly], words),
    ),
  };
}
