import { accounts } from "../../tables/accounts.ts";
import type { InstitutionRecord } from "../../../runtime/store/ports/index.ts";
import { listedAccount } from "./listed-account.ts";
import {
  bindings,
  columnList,
  type SqlDialect,
  type Bindings,
  type Reading,
} from "../../../runtime/store/sql/index.ts";
import { beforeAll, type AccountKey } from "./keys.ts";

/** The columns shown of an account, the name of its customer and the name of its institution. */
export type ListedRow<SqlValue> = readonly SqlValue[];

const portion = 100;

/**
 * The accounts with these keys, in their order, with the names that a summary shows. `isRun`: no other account of the
 * institution lies between them in the state that is read.
 */
export function* listedAccounts<SqlValue>(
  institution: InstitutionRecord,
  keys: readonly AccountKey[],
  isRun: boolean,
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, readonly ListedRow<SqlValue>[]> {
  const listed: ListedRow<SqlValue>[] = [];
  for (let at = 0; at < keys.length; at += portion) {
    const bound = bindings(dialect);
    const name = bound.bind("text", institution.name);
    const institutionId = bound.bind("text", institution.id);
    const wanted = keys.slice(at, at + portion);
    const isWanted = isRun ? between(wanted, bound) : dialect.isOneOf("a.id", idsOf(wanted, bound));
    const rows = yield {
      sql:
        `SELECT ${columnList(listedAccount, "a")}, c.name, ${name} FROM accounts a ` +
        `${dialect.through(accounts, isRun ? "accounts_by_creation" : "key")} ` +
        "JOIN customers c ON c.institution_id = a.institution_id AND c.id = a.customer_id " +
        `WHERE a.institution_id = ${institutionId} AND ${isWanted} ` +
        "ORDER BY a.created_at, a.id",
      values: bound.values,
    };
    listed.push(...rows);
  }
  return listed;
}

function idsOf<SqlValue>(keys: readonly AccountKey[], { bind }: Bindings<SqlValue>): string {
  return bind("json", JSON.stringify(keys.map(({ id }) => id)));
}

/** From the first to the last: they lie side by side in the index, and come in order. */
function between<SqlValue>(keys: readonly AccountKey[], { bind }: Bindings<SqlValue>): string {
  const [first = beforeAll, last = first] = [keys[0], keys.at(-1)];
  const place = ({ createdAt, id }: AccountKey): string =>
    `(${bind("time", createdAt)}, ${bind("text", id)})`;
  return `(a.created_at, a.id) >= ${place(first)} AND (a.created_at, a.id) <= ${place(last)}`;
}
