import { bindings, type SqlDialect, type Bindings, type Reading } from "../../../runtime/store/sql/index.ts";
import { keyOf, type AccountKey } from "./keys.ts";
import type { TransactionQuery } from "../../domain/lists.ts";

/** The account whose transactions are looked for. */
export type SideAccount = Pick<TransactionQuery, "institutionId" | "accountId">;

const sides = ["debtor", "creditor"] as const;

/**
 * The transactions of an account after a position, by creation, then id, from the indexes of both sides: a statement
 * for a limit to follow. Both are read in order and merged, nothing is sorted. No transaction has the same account on
 * both sides.
 */
export function entriesBehind<SqlValue>(
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
