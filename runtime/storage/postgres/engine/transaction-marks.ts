import { addMark, nextMarks } from "../../sql/listing/transaction-marks.ts";
import type { SideAccount } from "../../sql/listing/transaction-entries.ts";
import { transactions } from "../../tables/records.ts";
import type { ColumnValue } from "../../tables/index.ts";
import type { Connections } from "../connections.ts";
import { pgDialect } from "../dialect.ts";
import { runReading } from "../run-reading.ts";
import { markAll, type Unmark } from "./mark-all.ts";

/** Marks made in one transaction: it meets those who write transactions of the account meanwhile. */
const markedAtOnce = 16;
const noLimits = { rowsMax: Infinity, timeMs: Infinity };

const unmarkSql =
  "DELETE FROM transaction_marks WHERE institution_id = $1 AND account_id = ANY (ARRAY[$2, $3]) " +
  "AND (created_at, id) > ($4, $5)";
const placeColumns = (
  ["institutionId", "debtorAccountId", "creditorAccountId", "createdAt", "id"] as const
).map((field) => transactions.columnOf(field));

/** Removes the marks of both accounts behind a transaction. */
export function unmarkTransactions(row: readonly ColumnValue[]): Unmark {
  return { sql: unmarkSql, values: placeColumns.map(({ index }) => row[index] ?? null) };
}

/** Marks the transactions of an account that were recorded before a time. */
export function markTransactions(
  connections: Connections,
  account: SideAccount,
  untilMs: number,
): Promise<void> {
  return markAll(connections, async (session) => {
    const limits = { count: markedAtOnce, untilMs };
    const marks = await runReading(session, nextMarks(account, limits, pgDialect), noLimits);
    for (const mark of marks) {
      const { sql, values } = addMark(account, mark, pgDialect);
      await session.change(sql, values);
    }
    return marks.length === markedAtOnce;
  });
}
