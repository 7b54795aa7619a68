import type { AccountListing, InstitutionRecord } from "../../../ports/index.ts";
import { listedAccount } from "../../tables/listed-account.ts";
import type { SqlDialect } from "../dialect.ts";
import { bindings, type Reading } from "../reading.ts";
import { columnList } from "../statements.ts";
import type { AccountKey } from "./keys.ts";

/** The columns shown of an account, the name of its customer and the name of its institution: `decodeListed` reads it. */
export type ListedRow<SqlValue> = readonly SqlValue[];

const portion = 100;

/** The accounts with these keys, in their order, with the names that a summary shows. */
export function* listedAccounts<SqlValue>(
  institution: InstitutionRecord,
  keys: readonly AccountKey[],
  dialect: SqlDialect<SqlValue>,
): Reading<SqlValue, readonly ListedRow<SqlValue>[]> {
  const listed: ListedRow<SqlValue>[] = [];
  for (let at = 0; at < keys.length; at += portion) {
    const { values, bind } = bindings(dialect);
    const name = bind("text", institution.name);
    const institutionId = bind("text", institution.id);
    const ids = bind("json", JSON.stringify(keys.slice(at, at + portion).map(({ id }) => id)));
    const rows = yield {
      sql:
        `SELECT ${columnList(listedAccount, "a")}, c.name, ${name} FROM accounts a ` +
        `${dialect.through("accounts_by_key")} ` +
        "JOIN customers c ON c.institution_id = a.institution_id AND c.id = a.customer_id " +
        `WHERE a.institution_id = ${institutionId} AND ${dialect.isOneOf("a.id", ids)} ` +
        "ORDER BY a.created_at, a.id",
      values,
    };
    listed.push(...rows);
  }
  return listed;
}

export function decodeListed<SqlValue>(
  row: ListedRow<SqlValue>,
  dialect: SqlDialect<SqlValue>,
): AccountListing {
  const values = listedAccount.columns.map(({ type }, index) => {
    const value = row[index];
    return value === undefined ? null : dialect.fromSql(type, value);
  });
  const { length } = listedAccount.columns;
  return {
    account: listedAccount.decode(values),
    customerName: String(row[length]),
    institutionName: String(row[length + 1]),
  };
}
