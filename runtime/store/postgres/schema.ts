import { oncePer } from "../../contract/values.ts";
import { versionsOf, type Versions } from "../common/versions.ts";
import { recordTables, auditNumbers, gate, sealKeys, type Schema } from "../tables/schema.ts";
import { stepsOf } from "../tables/steps.ts";
import { type ColumnShape, type TableShape } from "../tables/table.ts";

/** A column as PostgreSQL keeps it, and the default as it prints it. */
interface PgColumn {
  readonly name: string;
  readonly type: "text" | "bigint" | "boolean";
  readonly optional: boolean;
  readonly standard?: { readonly sql: string; readonly printed: string };
}

interface PgIndex {
  readonly name: string;
  readonly columns: readonly string[];
  readonly condition?: string;
  readonly isUnique?: boolean;
}

/** The time by the database's clock: what was written later has a greater one, without a sequence to meet at. */
const microseconds = {
  sql: "(extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT",
  printed: "((EXTRACT(epoch FROM clock_timestamp()) * (1000000)::numeric))::bigint",
};

function tablesOf(schema: Schema): readonly TableShape[] {
  return [...recordTables(schema), ...(schema.postgres?.derived ?? []), sealKeys, auditNumbers, gate];
}

/** The versions of a database. */
export const versions: (schema: Schema) => Versions = oncePer((schema) =>
  versionsOf({
    dialect: "postgres",
    baseline,
    steps: stepsOf(schema),
    tableSql,
    addColumnSql: ({ name }, column) =>
      `ALTER TABLE ${name} ADD COLUMN IF NOT EXISTS ${columnSql(columnOf(column))};\n`,
    addIndexesSql: (table, names) =>
      indexesOf(table)
        .filter(({ name }) => names.includes(name))
        .map((index) => indexSql(table, index, "IF NOT EXISTS "))
        .join(""),
    schemaSql: schemaSqlOf(schema),
  }),
);

/** The number of the oldest version that can be brought up to date. */
export const baseline = 14;

/**
 * The text that makes a new database. Texts are compared by code points (COLLATE "C"); integers are BIGINT; documents are
 * TEXT, because they come back as they were written. Keys begin with what rows are distributed by.
 */
function schemaSqlOf(schema: Schema): string {
  return `${tablesOf(schema).map(tableSql).join("")}INSERT INTO audit_numbers VALUES (1, 0);
INSERT INTO gate VALUES (2, 0, 0);
CREATE FUNCTION instr(searched TEXT, sought TEXT) RETURNS INTEGER
  LANGUAGE SQL IMMUTABLE STRICT PARALLEL SAFE AS 'SELECT strpos(searched, sought)';
`;
}

/** The statements that make a table and its indexes. */
export function tableSql(table: TableShape): string {
  const parts = [
    ...columnsOf(table).map(columnSql),
    `PRIMARY KEY (${namesOf(table.key)})`,
    ...table.unique.map((set) => `UNIQUE (${namesOf(set)})`),
    ...table.references.map(
      ({ columns, to }) => `FOREIGN KEY (${namesOf(columns)}) REFERENCES ${to().name} (${namesOf(to().key)})`,
    ),
  ];
  const indexes = indexesOf(table).map((index) => indexSql(table, index));
  return `CREATE TABLE ${table.name} (\n  ${parts.join(",\n  ")}\n);\n${indexes.join("")}`;
}

function indexSql(
  table: TableShape,
  { name, columns, condition, isUnique = false }: PgIndex,
  guard = "",
): string {
  const where = condition === undefined ? "" : ` WHERE ${condition}`;
  return `CREATE ${isUnique ? "UNIQUE " : ""}INDEX ${guard}${name} ON ${table.name} (${columns.join(", ")})${where};\n`;
}

function columnSql({ name, type, optional, standard }: PgColumn): string {
  const collation = type === "text" ? ' COLLATE "C"' : "";
  const given = standard === undefined ? "" : ` DEFAULT ${standard.sql}`;
  return `${name} ${type.toUpperCase()}${collation}${optional ? "" : " NOT NULL"}${given}`;
}

function columnsOf({ columns, columnsBeside, sequenceColumn, numbered }: TableShape): readonly PgColumn[] {
  return [
    ...[...columns, ...columnsBeside].map(columnOf),
    ...(sequenceColumn === undefined ? [] : [timed(sequenceColumn)]),
    // Who reads numbers what has no number yet, in this order.
    ...(numbered.length === 0 ? [] : [timed("recorded_at")]),
  ];
}

function timed(name: string): PgColumn {
  return { name, type: "bigint", optional: false, standard: microseconds };
}

function columnOf({ name, type, optional, standard }: ColumnShape): PgColumn {
  const isText = type === "text" || type === "json";
  return {
    name,
    type: isText ? "text" : type === "boolean" ? "boolean" : "bigint",
    optional,
    ...(standard !== undefined && { standard: literalOf(standard) }),
  };
}

/** PostgreSQL prints a number that is no `integer` as a text. */
function literalOf(value: string | number | boolean): { readonly sql: string; readonly printed: string } {
  if (typeof value === "boolean") return { sql: `${value}`, printed: `${value}` };
  if (typeof value === "string") {
    const literal = `'${value.replaceAll("'", "''")}'`;
    return { sql: literal, printed: `${literal}::text` };
  }
  return { sql: `${value}`, printed: value < 2 ** 31 ? `${value}` : `'${value}'::bigint` };
}

function indexesOf({ name, indexes, sequenceColumn, numbered }: TableShape): readonly PgIndex[] {
  return [
    ...indexes
      .filter(({ isForOneProcess = false }) => !isForOneProcess)
      .map(({ present, isWholeOnServer = false, ...index }) => ({
        ...index,
        ...(present !== undefined && !isWholeOnServer && { condition: `${present} IS NOT NULL` }),
      })),
    ...(sequenceColumn === undefined ? [] : [{ name: `${name}_in_order`, columns: [sequenceColumn] }]),
    ...numbered.flatMap(({ column: { name: number }, within }): readonly PgIndex[] => {
      if (within === undefined) return [{ name: `${name}_by_${number}`, columns: [number], isUnique: true }];
      const others = numbered.flatMap((other) => (other.within === undefined ? [other.column.name] : []));
      return [
        {
          name: `${name}_by_${within.name.replace(/_id$/, "")}`,
          columns: [within.name, number],
          condition: `${number} IS NOT NULL`,
        },
        {
          name: `${name}_without_number`,
          columns: [...others, "recorded_at"],
          condition: `${number} IS NULL`,
        },
      ];
    }),
  ];
}

/**
 * The tables, constraints and indexes of a new database, by name: the lines that `verify-schema.ts` reads from PostgreSQL's
 * catalogue.
 */
export function schemaLines(schema: Schema): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>();
  for (const table of tablesOf(schema)) {
    for (const [name, line] of linesOf(table))
      byName.set(name, [...(byName.get(name) ?? []), line].toSorted());
  }
  return byName;
}

function* linesOf(table: TableShape): Generator<readonly [name: string, line: string]> {
  const { name } = table;
  for (const { name: column, type, optional, standard } of columnsOf(table)) {
    const rest = `${type === "text" ? " C" : ""}${optional ? "" : " NOT NULL"}`;
    yield [name, `${column} ${type}${rest}${standard === undefined ? "" : ` ${standard.printed}`}`];
  }
  yield* keyLines(name, `${name}_pkey`, "PRIMARY KEY", printed(table.key));
  for (const set of table.unique) yield* keyLines(name, `${name}_${joined(set)}_key`, "UNIQUE", printed(set));
  for (const { columns, to } of table.references) {
    const target = `${to().name}(${printed(to().key)})`;
    yield [
      `${name}_${joined(columns)}_fkey`,
      `${name} FOREIGN KEY (${printed(columns)}) REFERENCES ${target}`,
    ];
  }
  for (const { name: index, columns, condition, isUnique = false } of indexesOf(table)) {
    const where = condition === undefined ? "" : ` WHERE (${condition})`;
    const made = `CREATE ${isUnique ? "UNIQUE " : ""}INDEX ${index} ON ${name}`;
    yield [index, `${made} USING btree (${columns.map(quoted).join(", ")})${where}`];
  }
}

function* keyLines(
  table: string,
  name: string,
  kind: string,
  columns: string,
): Generator<readonly [name: string, line: string]> {
  yield [name, `${table} ${kind} (${columns})`];
  yield [name, `CREATE UNIQUE INDEX ${name} ON ${table} USING btree (${columns})`];
}

function joined(columns: readonly ColumnShape[]): string {
  return columns.map(({ name }) => name).join("_");
}

function namesOf(columns: readonly ColumnShape[]): string {
  return columns.map(({ name }) => name).join(", ");
}

function printed(columns: readonly ColumnShape[]): string {
  return columns.map(({ name }) => quoted(name)).join(", ");
}

/** Words of SQL that may name a column as they are, and that PostgreSQL prints between quotes. */
const quotedNames = new Set(
  "interval none position precision row time timestamp values substring trim overlay".split(" "),
);

function quoted(name: string): string {
  return quotedNames.has(name) ? `"${name}"` : name;
}
