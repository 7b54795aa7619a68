import {
  bindings,
  type SqlDialect,
  type Reading,
  type Step,
  type MarkLimits,
} from "../../../runtime/store/sql/index.ts";
import { beforeAll, keyOf, type AccountKey } from "./keys.ts";
import { keyBehind, type SideAccount } from "./transaction-entries.ts";

/** Transactions of an account between two marks. */
export const markedEvery = 4_096;

/** A place in the order of an account's transactions, and how many there are up to it, its own included. */
export interface TransactionMark extends AccountKey {
  readonly counted: number;
}

/** The last mark with at most that count; before all transactions if there is no mark. */
export function* lastMark<SqlValue>(
  { institutionId, accountId }: SideAccount,
  countedMax: number,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, TransactionMark> {
  const { values, bind } = bindings(dialect);
  const [row] = yield {
    sql:
      `SELECT created_at, id, counted FROM transaction_marks WHERE institution_id = ${bind("text", institutionId)} ` +
      `AND account_id = ${bind("text", accountId)} AND counted <= ${bind("integer", countedMax)} ` +
      "ORDER BY counted DESC LIMIT 1",
    values,
  };
  return row === undefined ? { ...beforeAll, counted: 0 } : { ...keyOf(row), counted: Number(row[2]) };
}

/** The marks that follow the last one: to be added in the transaction that reads them. */
export function* nextMarks<SqlValue>(
  account: SideAccount,
  { count, untilMs }: MarkLimits,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, readonly TransactionMark[]> {
  const marks: TransactionMark[] = [];
  let last = yield* lastMark(account, Number.MAX_SAFE_INTEGER, dialect);
  while (marks.length < count) {
    const key = yield* keyBehind(account, last, markedEvery, dialect);
    if (key === undefined || key.createdAt >= untilMs) break;
    last = { ...key, counted: last.counted + markedEvery };
    marks.push(last);
  }
  return marks;
}

/** The statement that adds a mark. */
export function addMark<SqlValue>(
  { institutionId, accountId }: SideAccount,
  { createdAt, id, counted }: TransactionMark,
  dialect: SqlDialect<SqlValue>,
): Pick<Step<SqlValue>, "sql" | "values"> {
  const { values, bind } = bindings(dialect);
  const places = [
    bind("text", institutionId),
    bind("text", accountId),
    bind("time", createdAt),
    bind("text", id),
    bind("integer", counted),
  ];
  return {
    sql:
      "INSERT INTO transaction_marks (institution_id, account_id, created_at, id, counted) " +
      `VALUES (${places.join(", ")}) ON CONFLICT DO NOTHING`,
    values,
  };
}
