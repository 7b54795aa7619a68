import type { TransactionQuery } from "../../../ports/index.ts";
import { createMarker } from "../../common/marker.ts";
import { addMark, markedEvery, nextMarks } from "../../sql/listing/transaction-marks.ts";
import type { Connection } from "../connection.ts";
import { sqliteDialect } from "../dialect.ts";
import type { GroupCommit } from "./group-commit.ts";
import { runRead } from "../reading/run-reading.ts";

/** Marks made in one transaction, which others wait for: a millisecond or two. */
const markedAtOnce = 2;

/** Has the transactions of an account marked where a page far behind the first was read. */
export function createTransactionMarking(
  connection: Connection,
  { transact }: Pick<GroupCommit, "transact">,
): (query: TransactionQuery) => Promise<void> {
  const marker = createMarker(markedEvery);
  const markSome = async (
    account: Pick<TransactionQuery, "institutionId" | "accountId">,
  ): Promise<boolean> => {
    const limits = { count: markedAtOnce, untilMs: Infinity };
    const marks = runRead(connection, nextMarks(account, limits, sqliteDialect), Infinity);
    for (const mark of marks) {
      const { sql, values } = addMark(account, mark, sqliteDialect);
      connection.change(sql, values);
    }
    return marks.length === markedAtOnce;
  };
  return async ({ institutionId, accountId, offset, customerIds }) => {
    if (customerIds !== undefined) return;
    const account = { institutionId, accountId };
    await marker.noteOffset(JSON.stringify(account), offset, async () => {
      while (await transact(() => markSome(account), { isRepeatable: true }));
    });
  };
}
