import { DatabaseSync } from "node:sqlite";
import { oncePer } from "../../contract/values.ts";
import { versionsOf, type Versions, pendingOf, type Pending, type Recorded } from "../common/versions.ts";
import { recordTables, sealKeys, type Schema } from "../tables/schema.ts";
import { stepsOf } from "../tables/steps.ts";
import type { ColumnShape, IndexShape, TableShape } from "../tables/table.ts";
import { explainedReasonOf } from "./errors.ts";
import { type MigrationListener, type MigrationStep, StoreOpenError } from "../common/adapter.ts";

/** SQL by type and name: `table users`. */
type SchemaTexts = ReadonlyMap<string, string>;

/** The schema of a new file: what it is made with, and what SQLite then says of it. */
export const schemaTexts: (schema: Schema) => SchemaTexts = oncePer((schema) => {
  const { derived = [], triggers = [] } = schema.sqlite ?? {};
  return new Map([
    ...[...recordTables(schema), ...derived, sealKeys].flatMap(textsOf),
    ...[...triggers].map(([name, sql]) => [`trigger ${name}`, sql] as const),
  ]);
});

/** The versions of a file. */
export const versions: (schema: Schema) => Versions = oncePer((schema) =>
  versionsOf({
    dialect: "sqlite",
    baseline: 22,
    steps: stepsOf(schema),
    tableSql,
    addColumnSql: ({ name }, column) => `ALTER TABLE ${name} ADD COLUMN ${columnSql(column)};\n`,
    addIndexesSql: (table, names) =>
      table.indexes
        .filter(({ name }) => names.includes(name))
        .map((index) => `${indexSql(table, index, "IF NOT EXISTS ")};\n`)
        .join(""),
    schemaSql: schemaSqlOf(schema),
  }),
);

/** The text that makes a new file's schema. */
function schemaSqlOf(schema: Schema): string {
  return [...schemaTexts(schema).values()].map((sql) => `${sql};\n`).join("");
}

/** The statements that make a table and its indexes. */
export function tableSql(table: TableShape): string {
  return textsOf(table)
    .map(([, sql]) => `${sql};\n`)
    .join("");
}

function textsOf(table: TableShape): readonly (readonly [name: string, sql: string])[] {
  return [
    [`table ${table.name}`, createSql(table)],
    ...[...table.indexes, ...numberIndexes(table)].map((index) => {
      return [`index ${index.name}`, indexSql(table, index)] as const;
    }),
  ];
}

function createSql(table: TableShape): string {
  const { name, columns, columnsBeside, sequenceColumn, key, unique, references, isClustered } = table;
  const rowNumber = sequenceColumn ?? rowNumbered(table)?.name;
  const parts = [
    ...(rowNumber === undefined ? [] : [`${rowNumber} INTEGER PRIMARY KEY`]),
    ...[...columns, ...columnsBeside].filter((column) => column.name !== rowNumber).map(columnSql),
    `${rowNumber === undefined ? "PRIMARY KEY" : "UNIQUE"} (${namesOf(key)})`,
    ...unique.map((set) => `UNIQUE (${namesOf(set)})`),
    ...references.map(
      ({ columns: from, to }) =>
        `FOREIGN KEY (${namesOf(from)}) REFERENCES ${to().name} (${namesOf(to().key)})`,
    ),
  ];
  return `CREATE TABLE ${name} (\n  ${parts.join(",\n  ")}\n) STRICT${isClustered ? ", WITHOUT ROWID" : ""}`;
}

/** The column whose numbers run over all records: it is the row's number. */
function rowNumbered({ numbered }: TableShape): ColumnShape | undefined {
  return numbered.find(({ within }) => within === undefined)?.column;
}

function columnSql({ name, type, optional, words, standard }: ColumnShape): string {
  const sqlType = type === "text" || type === "json" ? "TEXT" : "INTEGER";
  const literal = typeof standard === "string" ? `'${standard.replaceAll("'", "''")}'` : standard;
  const allowed = type === "boolean" ? "0, 1" : words?.map((word) => `'${word}'`).join(", ");
  return [
    `${name} ${sqlType}`,
    optional ? "" : " NOT NULL",
    literal === undefined ? "" : ` DEFAULT ${literal}`,
    allowed === undefined ? "" : ` CHECK (${name} IN (${allowed}))`,
  ].join("");
}

/** One number is given once among the records of one value. */
function numberIndexes({ name, numbered }: TableShape): readonly IndexShape[] {
  return numbered.flatMap(({ column, within }) =>
    within === undefined
      ? []
      : [
          {
            name: `${name}_by_${within.name.replace(/_id$/, "")}`,
            columns: [within.name, column.name],
            isUnique: true,
          },
        ],
  );
}

function indexSql(
  table: TableShape,
  { name, columns, present, isUnique = false }: IndexShape,
  guard = "",
): string {
  const condition = present === undefined ? "" : ` WHERE ${present} IS NOT NULL`;
  return `CREATE ${isUnique ? "UNIQUE " : ""}INDEX ${guard}${name} ON ${table.name} (${columns.join(", ")})${condition}`;
}

function namesOf(columns: readonly ColumnShape[]): string {
  return columns.map(({ name }) => name).join(", ");
}

/** The tables, indexes and triggers of a database, without those that SQLite adds. */
export function textsIn(database: DatabaseSync): SchemaTexts {
  const rows = database
    .prepare(
      "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .all();
  return new Map(rows.map(({ type, name, sql }) => [`${String(type)} ${String(name)}`, String(sql)]));
}

/** What `describe` says of a new file. */
export const describeNew: (schema: Schema) => ReadonlyMap<string, string> = oncePer((schema) => {
  const database = new DatabaseSync(":memory:");
  try {
    database.exec(schemaSqlOf(schema));
    return describe(database);
  } finally {
    database.close();
  }
});

/**
 * Columns, keys, uniqueness and types of every table and index, and the text of every trigger, by name. Files whose
 * tables were made in one step or in several are the same.
 */
export function describe(database: DatabaseSync): Map<string, string> {
  const described = new Map<string, string>();
  const asked = (sql: string) => {
    const statement = database.prepare(sql);
    return (name: string) => JSON.stringify(statement.all(name));
  };
  const columnsOf = asked(
    'SELECT name, type, "notnull", pk, hidden FROM pragma_table_xinfo(?) ORDER BY name',
  );
  const referencesOf = asked(
    'SELECT "table", "from", "to", on_update, on_delete FROM pragma_foreign_key_list(?) ORDER BY "from", "table", "to"',
  );
  const kindOf = asked("SELECT strict, wr FROM pragma_table_list(?)");
  const indexesOf = database.prepare('SELECT name, "unique", partial FROM pragma_index_list(?)');
  const keysOf = asked('SELECT name, "desc", coll FROM pragma_index_xinfo(?) WHERE key = 1');
  for (const table of tablesOf(database)) {
    described.set(table, columnsOf(table) + referencesOf(table) + kindOf(table));
    for (const { name, unique, partial } of indexesOf.all(table))
      described.set(String(name), JSON.stringify([table, unique, partial, keysOf(String(name))]));
  }
  const code = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type IN ('view', 'trigger')")
    .all();
  for (const { name, sql } of code) described.set(String(name), String(sql));
  return described;
}

export function tablesOf(database: DatabaseSync): readonly string[] {
  return database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .map(({ name }) => String(name));
}

/** Marks the file as one of this service (the `application_id` of SQLite's header): "LRPC". */
const applicationId = 0x4c525043;

const ledgerOfMigrations = `CREATE TABLE IF NOT EXISTS migrations (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT`;

/**
 * The steps that the database still lacks.
 * @throws StoreOpenError for a database of another program, and as `pendingOf`.
 */
export function pendingMigrations(database: DatabaseSync, file: string, known: Versions): readonly Pending[] {
  return pendingOf(recordedMigrations(database, file), known, file);
}

/** Brings the database up to date, each step in a transaction of its own. Gives the steps that were missing. */
export function applyMigrations(
  database: DatabaseSync,
  file: string,
  known: Versions,
  onMigration?: MigrationListener,
): readonly MigrationStep[] {
  const pending = pendingMigrations(database, file, known);
  if (pending.length > 0) database.exec("PRAGMA journal_mode = WAL");
  for (const [index, { step, known: each, records }] of pending.entries()) {
    onMigration?.({ name: step.name, step: index + 1, steps: pending.length, growing: `${file}-wal` });
    database.exec("BEGIN IMMEDIATE");
    try {
      database.exec(`PRAGMA application_id = ${applicationId}`);
      database.exec(ledgerOfMigrations);
      for (const { table, name, sql } of each.columns) {
        const isThere = database
          .prepare("SELECT 1 FROM pragma_table_xinfo(?) WHERE name = ?")
          .get(table, name);
        if (isThere === undefined) database.exec(sql);
      }
      database.exec(each.sql);
      const record = database.prepare(
        "INSERT INTO migrations (number, name, checksum, applied_at) VALUES (?, ?, ?, ?)",
      );
      for (const { number, name, checksum } of records) record.run(number, name, checksum, Date.now());
      database.exec("COMMIT");
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw new StoreOpenError(
        `${file}: migration ${step.number} (${step.name}) failed and was undone: ${explainedReasonOf(error)}. ` +
          "Put that right and run `ledger-server migrate` again",
        { cause: error },
      );
    }
  }
  return pending.map(({ step }) => step);
}

function recordedMigrations(database: DatabaseSync, file: string): readonly Recorded[] {
  const isEmpty = database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
  if (isEmpty) return [];
  const id = database.prepare("PRAGMA application_id").get()?.["application_id"];
  if (Number(id) !== applicationId) {
    throw new StoreOpenError(
      `${file} is a database of another program: name a file of this service or a new one`,
    );
  }
  return database
    .prepare("SELECT number, name, checksum FROM migrations ORDER BY number")
    .all()
    .map((row) => ({
      number: Number(row["number"]),
      name: String(row["name"]),
      checksum: String(row["checksum"]),
    }));
}
