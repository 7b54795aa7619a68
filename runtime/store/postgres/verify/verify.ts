import { messageOf } from "../../../contract/index.ts";
import { startWaitedWorker } from "../../../contract/worker.ts";
import type { LedgerVerification, VerifyOptions } from "../../ports/index.ts";
import { standardConnections } from "../../common/adapter.ts";
import { createFindings, verifyBooks, verifyDerived } from "../../common/verify/index.ts";
import type { BookRows, Row } from "../../common/verify/rules.ts";
import { sqlBooks } from "../../sql/books.ts";
import type { Schema } from "../../tables/schema.ts";
import { numberAuditEntries } from "../audit-numbers.ts";
import { createConnections, type Connections } from "../connections.ts";
import { pgDialect } from "../dialect.ts";
import { rowsAtOnce, type VerifyQuestion, type VerifyWorkerSettings } from "./verify-messages.ts";
import { verifySchema } from "./verify-schema.ts";

/**
 * Verifies the books in the database over one state of it, whether services write to it meanwhile or not, and each
 * thing that is kept twice over another. Changes nothing but the numbers of audit entries that have none yet. Holds up
 * the process: a thread reads ahead, 1,000 rows at a time.
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
    verifyDerived(schema, books, findings, anew);
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
    { data: { url }, waitMs: answerMsMax },
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
