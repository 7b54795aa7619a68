import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { LedgerVerification, VerifyOptions } from "../../ports/index.ts";
import { standardConnections } from "../../common/adapter.ts";
import { createFindings, verifyBooks, verifyDerived } from "../../common/verify/index.ts";
import type { BookRows, Row } from "../../common/verify/rules.ts";
import { sqlBooks } from "../../sql/books.ts";
import type { Schema } from "../../tables/schema.ts";
import { numberAuditEntries } from "../audit-numbers.ts";
import { createConnections, type Connections } from "../connections.ts";
import { pgDialect } from "../dialect.ts";
import {
  rowsAtOnce,
  type VerifyAnswer,
  type VerifyQuestion,
  type VerifyWorkerSettings,
} from "./verify-messages.ts";
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
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const { port1: own, port2: theirs } = new MessageChannel();
  const worker = new Worker(new URL("verify-worker.ts", import.meta.url), {
    workerData: { url, answered, port: theirs } satisfies VerifyWorkerSettings,
    transferList: [theirs],
  });
  let cursors = 0;

  function ask(question: VerifyQuestion): readonly Row[] {
    Atomics.store(answered, 0, 0);
    own.postMessage(question);
    // The thread may still wake the wait for its former answer, after that was found without waiting.
    while (Atomics.load(answered, 0) === 0) {
      if (Atomics.wait(answered, 0, 0, answerMsMax) === "timed-out")
        throw new Error("the thread that reads the books does not answer");
    }
    const received = receiveMessageOnPort(own);
    const answer: VerifyAnswer = received?.message;
    if ("failure" in answer) throw new Error(`the books cannot be read: ${answer.failure}`);
    return answer.rows;
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
    end: async () => {
      own.close();
      await worker.terminate();
    },
  };
}

/** Sorting the books of a large bank takes its time. */
const answerMsMax = 3_600_000;
