import { transactions } from "../../tables/index.ts";
import {
  bindings,
  columnList,
  type SqlDialect,
  type Reading,
  type Bindings,
  type Step,
  type MarkLimits,
} from "../../../runtime/store/sql/index.ts";
import { beforeAll, keyOf, takePage, type AccountKey } from "./keys.ts";
import type { TransactionQuery } from "../../domain/lists.ts";

/** Transactions that one step looks at, at most. */
const portion = 4_096;
/** Transactions that one step passes over, at most: some milliseconds. */
const skippedAtOnce = 16_384;

/**
 * A page of the transactions that an account is a side of, by creation, then id: rows of all columns. The page is
 * found by key. Each step reads a bounded number of entries of either side's index; only the transactions of the page
 * are read whole.
 */
export function* transactionListing<SqlValue>(
  query: TransactionQuery,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, readonly (readonly SqlValue[])[]> {
  const { institutionId, customerIds, limit } = query;
  if (customerIds?.length === 0 || limit === 0) return [];
  const keys =
    customerIds === undefined
      ? yield* keysOfAll(query, dialect)
      : yield* keysOfCustomers(query, new Set(customerIds), dialect);
  if (keys.length === 0) return [];
  const { values, bind } = bindings(dialect);
  const institution = bind("text", institutionId);
  const ids = bind("json", JSON.stringify(keys.map(({ id }) => id)));
  // The sign keeps the index by creation away: in its order, all transactions of the institution would be looked at.
  return yield {
    sql:
      `SELECT ${columnList(transactions)} FROM transactions WHERE institution_id = ${institution} ` +
      `AND ${dialect.isOneOf("id", ids)} ORDER BY +created_at, id`,
    values,
  };
}

/** From the last mark before the page, if it is far behind the first. */
function* keysOfAll<SqlValue>(
  query: TransactionQuery,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, readonly AccountKey[]> {
  const { offset, limit } = query;
  const mark = offset < markedEvery ? undefined : yield* lastMark(query, offset, dialect);
  let after: AccountKey = mark ?? beforeAll;
  let left = offset - (mark?.counted ?? 0);
  for (; left > skippedAtOnce; left -= skippedAtOnce) {
    const last = yield* keyBehind(query, after, skippedAtOnce, dialect);
    if (last === undefined) return [];
    after = last;
  }
  const bound = bindings(dialect);
  const entries = entriesBehind(query, after, "", bound);
  const rows = yield {
    sql: `${entries} ${bound.limitTo(limit)} OFFSET ${bound.bind("integer", left)}`,
    values: bound.values,
  };
  return rows.map(keyOf);
}

/** Looks at every transaction of the account, and takes those of the customers. */
function* keysOfCustomers<SqlValue>(
  query: TransactionQuery,
  customerIds: ReadonlySet<string>,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, readonly AccountKey[]> {
  const page = takePage(query.offset, query.limit);
  for (let after: AccountKey | undefined = beforeAll; after !== undefined && page.missing() > 0;) {
    const bound = bindings(dialect);
    const entries = entriesBehind(query, after, ", customer_id", bound);
    const rows: readonly (readonly SqlValue[])[] = yield {
      sql: `${entries} ${bound.limitTo(portion)}`,
      values: bound.values,
    };
    page.take(rows.filter(([, , customerId]) => customerIds.has(String(customerId))).map(keyOf));
    const last = rows.at(-1);
    after = last === undefined || rows.length < portion ? undefined : keyOf(last);
  }
  return page.keys;
}

/** The account whose transactions are looked for. */
export type SideAccount = Pick<TransactionQuery, "institutionId" | "accountId">;

const sides = ["debtor", "creditor"] as const;

/**
 * The transactions of an account after a position, by creation, then id, from the indexes of both sides: a statement
 * for a limit to follow. Both are read in order and merged, nothing is sorted. No transaction has the same account on
 * both sides.
 */
function entriesBehind<SqlValue>(
  { institutionId, accountId }: SideAccount,
  after: AccountKey,
  more: string,
  { bind }: Bindings<SqlValue>,
): string {
  const arms = sides.map(
    (side) =>
      `SELECT * FROM (SELECT created_at, id${more} FROM transactions ` +
      `WHERE institution_id = ${bind("text", institutionId)} ` +
      `AND ${side}_account_id = ${bind("text", accountId)} ` +
      `AND (created_at, id) > (${bind("time", after.createdAt)}, ${bind("text", after.id)}) ` +
      `ORDER BY created_at, id) AS ${side}`,
  );
  return `${arms.join(" UNION ALL ")} ORDER BY created_at, id`;
}

/** The last of so many transactions that follow a place; `undefined` where there are fewer. */
export function* keyBehind<SqlValue>(
  account: SideAccount,
  after: AccountKey,
  count: number,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, AccountKey | undefined> {
  const bound = bindings(dialect);
  const entries = entriesBehind(account, after, "", bound);
  const [last] = yield {
    sql: `${entries} ${bound.limitTo(1)} OFFSET ${bound.bind("integer", count - 1)}`,
    values: bound.values,
  };
  return last === undefined ? undefined : keyOf(last);
}

/** Transactions of an account between two marks. */
export const markedEvery = 4_096;

/** A place in the order of an account's transactions, and how many there are up to it, its own included. */
interface TransactionMark extends AccountKey {
  readonly counted: number;
}

/** The last mark with at most that count; before all transactions if there is no mark. */
function* lastMark<SqlValue>(
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
