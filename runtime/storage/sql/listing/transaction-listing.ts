import type { TransactionQuery } from "../../../ports/index.ts";
import { transactions } from "../../tables/index.ts";
import type { SqlDialect } from "../dialect.ts";
import { bindings, type Bindings, type Reading } from "../reading.ts";
import { columnList } from "../statements.ts";
import { keyOf, takePage, type AccountKey } from "./keys.ts";
import { anyTime } from "./sources.ts";

/** Transactions that one step passes over at most. */
const portion = 4_096;
const sides = ["debtor", "creditor"] as const;
const beforeAll: AccountKey = { createdAt: anyTime.from - 1, id: "" };

/**
 * A page of the transactions that an account is a side of, by creation, then id: rows of all columns. The page is found
 * by key, in steps that each look at a bounded number of entries of the index of either side; only the transactions of
 * the page itself are read whole.
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
  return yield {
    sql:
      `SELECT ${columnList(transactions)} FROM transactions WHERE institution_id = ${institution} ` +
      `AND ${dialect.isOneOf("id", ids)} ORDER BY created_at, id`,
    values,
  };
}

/** Passes over portions up to the page's first place. */
function* keysOfAll<SqlValue>(
  query: TransactionQuery,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, readonly AccountKey[]> {
  let after = beforeAll;
  for (let toSkip = query.offset; toSkip > 0;) {
    const skipped = Math.min(toSkip, portion);
    const bound = bindings(dialect);
    const entries = entriesAfter(query, after, skipped, "", bound);
    const [last] = yield {
      sql: `${entries} LIMIT 1 OFFSET ${bound.bind("integer", skipped - 1)}`,
      values: bound.values,
    };
    if (last === undefined) return [];
    after = keyOf(last);
    toSkip -= skipped;
  }
  const bound = bindings(dialect);
  const entries = entriesAfter(query, after, query.limit, "", bound);
  const rows = yield {
    sql: `${entries} ${bound.limitTo(query.limit)}`,
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
    const entries = entriesAfter(query, after, portion, ", customer_id", bound);
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

/** The entries of both sides that follow a place, in order, at most `count` of each. */
function entriesAfter<SqlValue>(
  { institutionId, accountId }: TransactionQuery,
  after: AccountKey,
  count: number,
  more: string,
  { bind, limitTo }: Bindings<SqlValue>,
): string {
  const arms = sides.map(
    (side) =>
      `SELECT * FROM (SELECT created_at, id${more} FROM transactions ` +
      `WHERE institution_id = ${bind("text", institutionId)} ` +
      `AND ${side}_account_id = ${bind("text", accountId)} ` +
      `AND (created_at, id) > (${bind("time", after.createdAt)}, ${bind("text", after.id)}) ` +
      `ORDER BY created_at, id ${limitTo(count)}) AS ${side}`,
  );
  return `${arms.join(" UNION ")} ORDER BY created_at, id`;
}
