/** The thread that `verify.ts` starts: reads through cursors of a transaction. */
import { answerTasks } from "../../../platform/worker.ts";
import { standardConnections } from "../../common/adapter.ts";
import { createConnections, type PgRow } from "../connections.ts";
import type { VerifyQuestion, VerifyWorkerSettings } from "./verify.ts";

const beginSql = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

answerTasks(({ url, rowsAtOnce }: VerifyWorkerSettings) => {
  const noTimeout = { ...standardConnections, poolSize: 1, statementTimeoutMs: 0 };
  const opened = createConnections(url, noTimeout).session();
  let begun = begin(beginSql);

  /** A failure is that of the next question. */
  function begin(sql: string): Promise<unknown> {
    const beginning = opened.then((session) => session.execute(sql));
    beginning.catch(() => undefined);
    return beginning;
  }

  return async (question: VerifyQuestion): Promise<readonly PgRow[]> => {
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
  };
});
