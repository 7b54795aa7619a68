import { messageOf } from "../../../contract/index.ts";
import { startWaitedWorker } from "../../../platform/worker.ts";
import type { LedgerVerification, VerifyOptions } from "../../ports/index.ts";
import { standardConnections } from "../../common/adapter.ts";
import { createFindings, verifyBooks, verifyDerived, type Findings } from "../../common/verify/index.ts";
import type { BookRows, Row } from "../../common/verify/rules.ts";
import { sqlBooks } from "../../sql/books.ts";
import type { Schema } from "../../tables/schema.ts";
import { numberAuditEntries } from "../reading/reading.ts";
import { createConnections, type Connections } from "../connections.ts";
import { pgDialect } from "../dialect.ts";
import { createHash } from "node:crypto";
import { schemaLines } from "../schema.ts";

/** The data that the thread is started with. */
export interface VerifyWorkerSettings {
  readonly url: string;
  /** Rows that travel at once. */
  readonly rowsAtOnce: number;
}

/** Opens a cursor, or asks one for more rows; `anew` begins another transaction. */
export type VerifyQuestion =
  | {
      readonly kind: "open";
      readonly cursor: number;
      readonly sql: string;
      readonly values: readonly string[];
    }
  | { readonly kind: "fetch"; readonly cursor: number }
  | { readonly kind: "close"; readonly cursor: number }
  | { readonly kind: "anew" };

const rowsAtOnce = 1_000;

/**
 * Verifies the books over one state of the database, even if services write meanwhile. Data that is kept twice is
 * compared over another state. Changes nothing but the numbers of audit entries that have none yet. Holds up the
 * process: a thread reads ahead, 1,000 rows at a time.
 */
export async function verifyPostgres(
  url: string,
  schema: Schema,
  connections: Connections | undefined,
  options: VerifyOptions = {},
): Promise<LedgerVerification> {
  const numbering = connections ?? createConnections(url, { ...standardConnections, poolSize: 1 });
  try {
    await numberAuditEntries(numbering);
  } finally {
    if (connections === undefined) await numbering.close();
  }
  const findings = createFindings();
  const reader = startReader(url);
  try {
    const { books, anew } = reader;
    verifySchema(schema, books, findings);
    // Each in a transaction of its own: after a value that is no JSON, PostgreSQL answers no more in the same one.
    verifyDerived(schema.verify, books, findings, anew);
    anew();
    return verifyBooks(schema, sqlBooks(schema, books), books, findings, options);
  } finally {
    await reader.end();
  }
}

/** Books whose rows are waited for: verification is one pass over streams, for every store. */
interface BookReader {
  readonly books: BookRows;
  /** Reads the present state from now on. */
  anew(): void;
  end(): Promise<void>;
}

function startReader(url: string): BookReader {
  const thread = startWaitedWorker<VerifyQuestion, readonly Row[], VerifyWorkerSettings>(
    new URL("verify-worker.ts", import.meta.url),
    { data: { url, rowsAtOnce }, waitMs: answerMsMax },
  );
  let cursors = 0;

  function ask(question: VerifyQuestion): readonly Row[] {
    try {
      return thread.ask(question);
    } catch (error) {
      throw new Error(`the books cannot be read: ${messageOf(error)}`, { cause: error });
    }
  }

  function* rows(sql: string, values: readonly string[]): Generator<Row> {
    cursors += 1;
    const cursor = cursors;
    let portion = ask({ kind: "open", cursor, sql, values });
    yield* portion;
    while (portion.length === rowsAtOnce) {
      portion = ask({ kind: "fetch", cursor });
      yield* portion;
    }
    ask({ kind: "close", cursor });
  }

  return {
    books: {
      kind: "sql",
      dialect: "postgres",
      rows,
      jsonItems: (column) => `json_array_elements_text(${column}::json) n(value)`,
      jsonFirst: (column) => `(${column}::json ->> 0)`,
      placeholder: pgDialect.placeholder,
      fromSql: (type, value) => (typeof value === "bigint" ? value : pgDialect.fromSql(type, value)),
      through: (table) => table,
    },
    anew: () => void ask({ kind: "anew" }),
    end: thread.end,
  };
}

/** Sorting the books of a large bank takes its time. */
const answerMsMax = 3_600_000;

/**
 * The parts of this program's tables, by name: columns, constraints, indexes and triggers, each as a digest of what
 * PostgreSQL says of it. Triggers and rules of its tables are marked: others than the program's change what is written.
 */
export const schemaSql = `SELECT name, md5(string_agg(said, E'\\n' ORDER BY said COLLATE "C")), max(intervenes) FROM (
    SELECT c.relname::TEXT AS name, a.attname || ' ' || format_type(a.atttypid, a.atttypmod) ||
      coalesce(' ' || l.collname, '') || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END ||
      coalesce(' ' || pg_get_expr(d.adbin, d.adrelid), '') AS said, 0 AS intervenes
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_collation l ON l.oid = a.attcollation
      LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::REGNAMESPACE
    UNION ALL
    SELECT o.conname, c.relname || ' ' || pg_get_constraintdef(o.oid) || CASE WHEN o.convalidated THEN '' ELSE ' unchecked' END, 0
    FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid
    WHERE o.contype IN ('c', 'f', 'p', 'u', 'x') AND o.connamespace = current_schema()::REGNAMESPACE
    UNION ALL
    SELECT i.relname, replace(pg_get_indexdef(x.indexrelid), quote_ident(current_schema()) || '.', '') ||
      CASE WHEN x.indisvalid THEN '' ELSE ' invalid' END, 0
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
    WHERE i.relnamespace = current_schema()::REGNAMESPACE
    UNION ALL
    SELECT c.relname, 'a trigger is off', 0
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE t.tgenabled NOT IN ('O', 'A') AND c.relnamespace = current_schema()::REGNAMESPACE
    UNION ALL
    SELECT t.tgname, pg_get_triggerdef(t.oid) || f.prosrc, 1
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc f ON f.oid = t.tgfoid
    WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::REGNAMESPACE
    UNION ALL
    SELECT r.rulename, pg_get_ruledef(r.oid), 1
    FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
    WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::REGNAMESPACE
  ) AS described GROUP BY name ORDER BY name`;

/** Compares the schema with that of a new database. Further tables and indexes in the same database are left alone. */
function verifySchema(schema: Schema, { rows }: BookRows, findings: Findings): void {
  findings.during("(schema)", () => {
    const expected = new Map(
      schemaLines(schema)
        .entries()
        .map(([name, lines]) => [name, digestOf(lines)]),
    );
    const found = new Map<string, string>();
    for (const [name, digest, intervenes] of rows(schemaSql, [])) {
      if (Number(intervenes) === 1 || expected.has(String(name))) {
        found.set(String(name), String(digest));
      }
    }
    for (const name of new Set([...expected.keys(), ...found.keys()])) {
      if (expected.get(name) === found.get(name)) continue;
      findings.add({ kind: "schema", table: name, what: difference(expected.has(name), found.has(name)) });
    }
  });
}

function difference(isExpected: boolean, isFound: boolean): string {
  if (!isFound) return "is missing";
  return isExpected
    ? "is not as this program makes it"
    : "is a trigger or a rule that is none of this program's";
}

function digestOf(lines: readonly string[]): string {
  return createHash("md5").update(lines.join("\n")).digest("hex");
}
