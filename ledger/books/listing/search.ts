import { accounts } from "../../tables/accounts.ts";
import { accountConditionSql, type ParameterSink } from "../sql/account-condition.ts";
import type { IndexName, SqlDialect, Bindings } from "../../../runtime/store/sql/index.ts";
import { namesCustomer } from "./constant-condition.ts";
import type { AccountCondition } from "../../domain/account-condition.ts";

/** Conditions that an account must fit. */
export interface AccountFilter {
  readonly institutionId: string;
  /** Each once, at least one; absent: any. */
  readonly customerIds?: readonly string[];
  /** Names no field of the institution. */
  readonly condition?: AccountCondition;
}

/** A query whose institution is known. */
export interface AccountSearch extends AccountFilter {
  readonly offset: number;
  readonly limit: number;
}

/**
 * The tables that a filter reads, accounts as `a` through an index, and its further conditions: text that follows the
 * institution's in a WHERE clause.
 */
export function filterSql<SqlValue>(
  { customerIds, condition }: Omit<AccountFilter, "institutionId">,
  index: IndexName,
  { bind }: Bindings<SqlValue>,
  dialect: SqlDialect<SqlValue>,
): { readonly from: string; readonly and: string } {
  const sink: ParameterSink = {
    bind,
    isOneOf: (expression, texts) => dialect.isOneOf(expression, bind("json", JSON.stringify(texts))),
  };
  const terms = [
    ...(customerIds === undefined ? [] : [sink.isOneOf("a.customer_id", customerIds)]),
    ...(condition === undefined ? [] : [accountConditionSql(condition, sink)]),
  ];
  const customer =
    condition !== undefined && namesCustomer(condition)
      ? " JOIN customers c ON c.institution_id = a.institution_id AND c.id = a.customer_id"
      : "";
  return {
    from: `accounts a ${dialect.through(accounts, index)}${customer}`,
    and: terms.map((term) => ` AND ${term}`).join(""),
  };
}
