import type { TransactionQuery } from "../../../ports/index.ts";
import { transactions } from "../../tables/index.ts";
import type { SqlDialect } from "../dialect.ts";
import { bindings, type Bindings, type Reading } from "../reading.ts";
import { columnList } from "../statements.ts";
import { compareKeys, keyOf, takePage, type AccountKey } from "./keys.ts";
import { anyTime } from "./sources.ts";

/** Transactions that one step looks at, at most. */
const portion = 4_096;
/** Entries of one index that one step passes over, at most: some milliseconds. */
const skippedAtOnce = 65_536;
const sides = ["debtor", "creditor"] as const;
type Side = (typeof sides)[number];
/** A place in the index of each side. */
type Places = Readonly<Record<Side, AccountKey>>;
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

/** The page begins behind as many entries of either side as are skipped. */
function* keysOfAll<SqlValue>(
  query: TransactionQuery,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, readonly AccountKey[]> {
  const after = yield* placesAfter(query, dialect);
  if (after === undefined) return [];
  const bound = bindings(dialect);
  const entries = entriesAfter(query, after, query.limit, "", bound);
  const rows = yield {
    sql: `${entries} ${bound.limitTo(query.limit)}`,
    values: bound.values,
  };
  return rows.map(keyOf);
}

/**
 * The place in the index of each side before which `offset` entries lie in all; `undefined` where there are fewer. Passing
 * over entries of one index takes a fiftieth of what merging them takes. So half of what is left to skip is looked up in
 * each index: the side whose entry there comes first has all entries up to it among those to skip. No transaction has
 * the same account on both sides.
 */
function* placesAfter<SqlValue>(
  query: TransactionQuery,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, Places | undefined> {
  const after: Record<Side, AccountKey> = { debtor: beforeAll, creditor: beforeAll };
  for (let left = query.offset; left > 0;) {
    const skipped = Math.min(Math.ceil(left / 2), skippedAtOnce);
    const debtor = yield* entryAt(query, "debtor", after, skipped, dialect);
    const creditor = yield* entryAt(query, "creditor", after, skipped, dialect);
    if (debtor !== undefined && (creditor === undefined || compareKeys(debtor, creditor) < 0))
      after.debtor = debtor;
    else if (creditor !== undefined) after.creditor = creditor;
    else return undefined;
    left -= skipped;
  }
  return after;
}

/** The last of so many entries of one side that follow a place; `undefined` where there are fewer. */
function* entryAt<SqlValue>(
  query: TransactionQuery,
  side: Side,
  after: Places,
  count: number,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, AccountKey | undefined> {
  const bound = bindings(dialect);
  const entries = entriesOf(query, side, after[side], "", bound);
  const [last] = yield {
    sql: `${entries} ${bound.limitTo(1)} OFFSET ${bound.bind("integer", count - 1)}`,
    values: bound.values,
  };
  return last === undefined ? undefined : keyOf(last);
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
    const places = { debtor: after, creditor: after };
    const entries = entriesAfter(query, places, portion, ", customer_id", bound);
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

/** The entries of both sides that follow their places, in order, at most `count` of each. */
function entriesAfter<SqlValue>(
  query: TransactionQuery,
  after: Places,
  count: number,
  more: string,
  bound: Bindings<SqlValue>,
): string {
  const arms = sides.map((side) => {
    const entries = entriesOf(query, side, after[side], more, bound);
    return `SELECT * FROM (${entries} ${bound.limitTo(count)}) AS ${side}`;
  });
  return `${arms.join(" UNION ")} ORDER BY created_at, id`;
}

function entriesOf<SqlValue>(
  { institutionId, accountId }: TransactionQuery,
  side: Side,
  after: AccountKey,
  more: string,
  { bind }: Bindings<SqlValue>,
): string {
  return (
    `SELECT created_at, id${more} FROM transactions ` +
    `WHERE institution_id = ${bind("text", institutionId)} ` +
    `AND ${side}_account_id = ${bind("text", accountId)} ` +
    `AND (created_at, id) > (${bind("time", after.createdAt)}, ${bind("text", after.id)}) ` +
    "ORDER BY created_at, id"
  );
}
