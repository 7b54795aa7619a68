import type { AccountListing, AccountQuery } from "../../ports/index.ts";
import { accounts, type ColumnType, type ColumnValue } from "../tables/index.ts";
import { accountConditionSql, type ParameterSink } from "./account-condition.ts";
import type { SqlDialect } from "./dialect.ts";
import { columnList } from "./statements.ts";

/** A statement that is written for one execution, and what its rows mean. */
export interface AccountListingStatement<SqlValue> {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  decode(row: readonly SqlValue[]): AccountListing;
}

/** A page of accounts with the names that a summary shows, by creation, then id. */
export function accountListing<SqlValue>(
  query: AccountQuery,
  dialect: SqlDialect<SqlValue>,
): AccountListingStatement<SqlValue> {
  const values: SqlValue[] = [];
  const parameters: ParameterSink = {
    bind: (type, value) => dialect.placeholder(values.push(dialect.toSql(type, value))),
    isOneOf: (expression, texts) =>
      dialect.isOneOf(expression, parameters.bind("json", JSON.stringify(texts))),
  };
  const conditions = [`a.institution_id = ${parameters.bind("text", query.institutionId)}`];
  if (query.customerIds !== undefined) {
    conditions.push(parameters.isOneOf("a.customer_id", query.customerIds));
  }
  if (query.condition !== undefined) conditions.push(accountConditionSql(query.condition, parameters));
  const limit = parameters.bind("integer", query.limit);
  const offset = parameters.bind("integer", query.offset);
  return {
    sql:
      `SELECT ${columnList(accounts, "a")}, c.name, i.name FROM accounts a ` +
      "JOIN customers c ON c.institution_id = a.institution_id AND c.id = a.customer_id " +
      "JOIN institutions i ON i.id = a.institution_id " +
      `WHERE ${conditions.join(" AND ")} ORDER BY a.created_at, a.id LIMIT ${limit} OFFSET ${offset}`,
    values,
    decode: (row) => {
      const read = (index: number, type: ColumnType): ColumnValue => {
        const value = row[index];
        return value === undefined ? null : dialect.fromSql(type, value);
      };
      return {
        account: accounts.decode(accounts.columns.map(({ index, type }) => read(index, type))),
        customerName: String(read(accounts.columns.length, "text")),
        institutionName: String(read(accounts.columns.length + 1, "text")),
      };
    },
  };
}
