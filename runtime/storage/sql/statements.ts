import type { QueryShape } from "../queries.ts";
import type { ColumnShape, TableShape } from "../tables/index.ts";

/** SQL text, and for each parameter the column that its value is of. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly ColumnShape[];
}

/** The text of the parameter at a position from 1. */
export type Placeholder = (position: number) => string;

/** The columns of a table as a select list. */
export function columnList(table: TableShape, alias?: string): string {
  const prefix = alias === undefined ? "" : `${alias}.`;
  return table.columns.map(({ name }) => `${prefix}${name}`).join(", ");
}

/** Where a query is limited, its last parameter is the limit, an integer. */
export function selectStatement(query: QueryShape, placeholder: Placeholder): Statement {
  const { table, where, order, limited } = query;
  const orderColumns =
    order === "insertion" ? table.sequenceColumn : order?.map(({ name }) => name).join(", ");
  const orderBy = orderColumns === undefined ? "" : ` ORDER BY ${orderColumns}`;
  const limit = limited ? ` LIMIT ${placeholder(where.length + 1)}` : "";
  return {
    sql: `SELECT ${columnList(table)} FROM ${table.name}${whereClause(query, placeholder)}${orderBy}${limit}`,
    parameters: where.map(({ column }) => column),
  };
}

export function deleteStatement(query: QueryShape, placeholder: Placeholder): Statement {
  return {
    sql: `DELETE FROM ${query.table.name}${whereClause(query, placeholder)}`,
    parameters: query.where.map(({ column }) => column),
  };
}

export function insertStatement(table: TableShape, placeholder: Placeholder): Statement {
  const places = table.columns.map(({ index }) => placeholder(index + 1));
  return {
    sql: `INSERT INTO ${table.name} (${columnList(table)}) VALUES (${places.join(", ")})`,
    parameters: table.columns,
  };
}

/** Replaces the record with the same key. */
export function replaceStatement(table: TableShape, placeholder: Placeholder): Statement {
  const changed = table.columns.filter(
    (column) => !table.key.includes(column) && !table.keptByReplace.includes(column),
  );
  const assignments = changed.map(({ name }, index) => `${name} = ${placeholder(index + 1)}`);
  const conditions = table.key.map(
    ({ name }, index) => `${name} = ${placeholder(changed.length + index + 1)}`,
  );
  return {
    sql: `UPDATE ${table.name} SET ${assignments.join(", ")} WHERE ${conditions.join(" AND ")}`,
    parameters: [...changed, ...table.key],
  };
}

function whereClause({ where }: QueryShape, placeholder: Placeholder): string {
  const terms = where.map(({ column, op }, index) => `${column.name} ${op} ${placeholder(index + 1)}`);
  return terms.length === 0 ? "" : ` WHERE ${terms.join(" AND ")}`;
}
