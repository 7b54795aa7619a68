/** The thread that `verify.ts` starts: reads through cursors of a transaction, and wakes who waits for the rows. */
import { workerData } from "node:worker_threads";
import { messageOf } from "../../../contract/index.ts";
import { standardConnections } from "../../common/adapter.ts";
import { createConnections, type PgRow } from "../connections.ts";
import {
  rowsAtOnce,
  type VerifyAnswer,
  type VerifyQuestion,
  type VerifyWorkerSettings,
} from "./verify-messages.ts";

const { url, port, answered }: VerifyWorkerSettings = workerData;
const noTimeout = { ...standardConnections, poolSize: 1, statementTimeoutMs: 0 };
const opened = createConnections(url, noTimeout).session();
const beginSql = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
let begun = begin(beginSql);

port.on("message", (question: VerifyQuestion) => void answer(question));

async function answer(question: VerifyQuestion): Promise<void> {
  let message: VerifyAnswer;
  try {
    message = { rows: await rowsOf(question) };
  } catch (error) {
    message = { failure: messageOf(error) };
  }
  port.postMessage(message);
  Atomics.store(answered, 0, 1);
  Atomics.notify(answered, 0);
}

/** A failure is that of the next question. */
function begin(sql: string): Promise<unknown> {
  const beginning = opened.then((session) => session.execute(sql));
  beginning.catch(() => undefined);
  return beginning;
}

async function rowsOf(question: VerifyQuestion): Promise<readonly PgRow[]> {
  if (question.kind === "anew") {
    begun = begin(`ROLLBACK; ${beginSql}`);
    return [];
  }
  await begun;
  const session = await opened;
  const name = `books_${question.cursor}`;
  if (question.kind === "close") await session.execute(`CLOSE ${name}`);
  if (question.kind === "open") {
    await session.rowsOnce(`DECLARE ${name} NO SCROLL CURSOR FOR ${question.sql}`, question.values);
  }
  return question.kind === "close" ? [] : session.rowsOnce(`FETCH ${rowsAtOnce} FROM ${name}`, []);
}
