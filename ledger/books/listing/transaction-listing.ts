import { transactions } from "../../tables/index.ts";
import { bindings, columnList, type SqlDialect, type Reading } from "../../../runtime/store/sql/index.ts";
import { beforeAll, keyOf, takePage, type AccountKey } from "./keys.ts";
import { entriesBehind, keyBehind } from "./transaction-entries.ts";
import { lastMark, markedEvery } from "./transaction-marks.ts";
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
