import { accounts } from "../../tables/accounts.ts";
import type { IndexName, SqlDialect, Bindings } from "../../../runtime/store/sql/index.ts";
import { namesCustomer, exponentOf, minorComparison, unusualExponents, textMatches } from "./matches.ts";
import type { AccountCondition, AccountTextField } from "../../domain/lists.ts";
import { allCurrencies } from "../../domain/money.ts";
import { afterPrefix, lowerAscii } from "../../../runtime/store/common/index.ts";
import type { ColumnType, ColumnValue } from "../../../runtime/store/tables/index.ts";

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

/** Where the values of a condition go; `bind` gives the text of the parameter. */
interface ParameterSink {
  bind(type: ColumnType, value: ColumnValue): string;
  isOneOf(expression: string, texts: readonly string[]): string;
}

type ConditionOf<Kind extends AccountCondition["kind"]> = Extract<AccountCondition, { readonly kind: Kind }>;

/**
 * A condition over `accounts a`, `customers c` and `institutions i` as SQL. Every value is bound; only names of
 * columns, operators and the codes of ISO 4217 are written into the text.
 */
function accountConditionSql(condition: AccountCondition, parameters: ParameterSink): string {
  switch (condition.kind) {
    case "and":
      return joinTerms(condition.terms, "AND", "TRUE", parameters);
    case "or":
      return joinTerms(condition.terms, "OR", "FALSE", parameters);
    case "not":
      return `NOT ${accountConditionSql(condition.term, parameters)}`;
    case "text":
      return condition.field === "currencyCode"
        ? currencyCodeSql(condition, parameters)
        : textSql(condition, textColumns[condition.field], parameters);
    case "time":
      return `(${timeColumns[condition.field]} ${condition.op} ${parameters.bind("time", condition.value)})`;
    case "amount":
      return amountSql(condition, parameters);
    case "flag":
      return `(a.verified ${condition.op} ${parameters.bind("boolean", condition.value)})`;
  }
}

const textColumns: Readonly<Record<Exclude<AccountTextField, "currencyCode">, string>> = {
  id: "a.id",
  name: "a.name",
  number: "a.number",
  customerID: "a.customer_id",
  customerName: "c.name",
  institutionName: "i.name",
  accountCategory: "a.category",
  accountType: "a.type",
  currency: "a.currency",
  status: "a.status",
  institutionID: "a.institution_id",
  glAccount: "a.gl_account",
};

const timeColumns = { createdDate: "a.created_at", updatedDate: "a.updated_at" } as const;

/** The columns of each amount: those added and those subtracted. */
const amountColumns = {
  balance: ["a.ledger_minor", "a.hold_minor", "a.pre_auth_minor"],
  holdBalance: ["a.hold_minor"],
  ledgerBalance: ["a.ledger_minor"],
  preAuthBalance: ["a.pre_auth_minor"],
} as const;

function joinTerms(
  terms: readonly AccountCondition[],
  operator: "AND" | "OR",
  empty: "TRUE" | "FALSE",
  parameters: ParameterSink,
): string {
  if (terms.length === 0) return empty;
  return `(${terms.map((term) => accountConditionSql(term, parameters)).join(` ${operator} `)})`;
}

function textSql({ op, value }: ConditionOf<"text">, column: string, parameters: ParameterSink): string {
  const bound = (text: string): string => parameters.bind("text", text);
  if (op === "has") return `(instr(lower(${column}), ${bound(lowerAscii(value))}) > 0)`;
  if (op !== "prefix") return `(${column} ${op} ${bound(value)})`;
  const end = afterPrefix(value);
  const upTo = end === undefined ? "" : ` AND ${column} < ${bound(end)}`;
  return `(${column} >= ${bound(value)}${upTo})`;
}

/** No column holds the numeric code: the condition is settled for every currency, then asks for these. */
function currencyCodeSql(condition: ConditionOf<"text">, parameters: ParameterSink): string {
  const unknownMatches = textMatches(condition, "");
  const exceptions = allCurrencies()
    .filter(({ numericCode }) => textMatches(condition, numericCode) !== unknownMatches)
    .map(({ code }) => code);
  const isException = parameters.isOneOf("a.currency", exceptions);
  return unknownMatches ? `(NOT ${isException})` : `(${isException})`;
}

/**
 * Decimals are compared as minor units, by the decimals of the account's currency. Differences of 64-bit integers
 * need more than 64 bits, so both sides are split at bit 32 and compared as pairs.
 */
function amountSql(condition: ConditionOf<"amount">, parameters: ParameterSink): string {
  const columns = amountColumns[condition.field];
  const high = columns.map((column) => `(${column} >> 32)`).join(" - ");
  const low = columns.map((column) => `(${column} & 4294967295)`).join(" - ");
  const pair = `(${high} + ((${low}) >> 32), (${low}) & 4294967295)`;
  const cases = [...unusualExponents].map(
    ([exponent, codes]) =>
      `WHEN a.currency IN (${codes.map((code) => `'${code}'`).join(", ")}) THEN ${compared(exponent)}`,
  );
  return `(CASE ${cases.join(" ")} ELSE ${compared(exponentOf(""))} END)`;

  function compared(exponent: number): string {
    const comparison = minorComparison(condition, exponent);
    if (comparison.kind !== "compare") return comparison.kind === "always" ? "TRUE" : "FALSE";
    const bound = clamp(comparison.bound);
    const boundPair = [bound >> 32n, bound & 0xffffffffn].map((half) => parameters.bind("bigint", half));
    return `(${pair} ${comparison.op} (${boundPair.join(", ")}))`;
  }
}

/** Beyond what three 64-bit integers sum to, one bound is as good as another: these have halves that can be bound. */
function clamp(bound: bigint): bigint {
  const limit = 2n ** 70n;
  if (bound > limit) return limit;
  return bound < -limit ? -limit : bound;
}
