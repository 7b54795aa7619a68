import type { SqlDialect } from "../sql/dialect.ts";
import type { ColumnType, ColumnValue } from "../tables/index.ts";

/** The values that the driver takes; it returns texts, `t` and `f` for booleans. */
export type PgValue = string | number | boolean | null;

export const pgDialect: SqlDialect<PgValue> = {
  name: "postgres",
  placeholder: (position) => `$${position}`,
  toSql: (_type, value) => soughtValue(value),
  fromSql,
  isOneOf: (expression, parameter) =>
    `${expression} = ANY (ARRAY(SELECT jsonb_array_elements_text(${parameter}::jsonb)))`,
  ofGroup: (_table, columns, found) =>
    `SELECT ${columns} FROM groups CROSS JOIN LATERAL (SELECT * ${found}) AS record`,
  // Writers would meet at the last number: who reads numbers.
  nextNumber: (_table, _column, parameter) => parameter,
  limit: (parameter) => parameter,
  through: () => "",
};

/**
 * A value that is looked for. No text that is kept has U+0000: U+0001 in its place finds the same texts, as none has
 * that either.
 */
export function soughtValue(value: ColumnValue): PgValue {
  return typeof value === "string" && value.includes("\0")
    ? value.replaceAll("\0", "\u0001")
    : pgValue(value);
}

/** A value that is kept. PostgreSQL keeps every text but those with U+0000. */
export function pgValue(value: ColumnValue): PgValue {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "string" && value.includes("\0")) {
    throw new RangeError("a text with U+0000 cannot be kept by PostgreSQL");
  }
  return value;
}

function fromSql(type: ColumnType, value: PgValue): ColumnValue {
  if (value === null) return null;
  switch (type) {
    case "bigint":
      return BigInt(value);
    case "integer":
    case "time":
      return Number(value);
    case "boolean":
      return value === "t" || value === true;
    default:
      return String(value);
  }
}
