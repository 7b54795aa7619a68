import type { AccountCondition, AccountConditionField } from "../account-condition.ts";
import { accountStatuses } from "../account-status.ts";
import { accountTypes } from "../account-type.ts";
import { exactDecimal, significantDigitsMax } from "../../../runtime/json/index.ts";
import { accepted, refused, parseTimestamp, type Outcome } from "../../../runtime/contract/index.ts";
import type { ComparisonOperator } from "./tokens.ts";

/** The value side of a comparison. */
export interface ComparisonValue {
  readonly text: string;
  /** A trailing `*` was written, which is no part of `text`. */
  readonly prefix: boolean;
}

/** A fault of a comparison, and which of its three parts has it. */
export interface ComparisonFault {
  readonly part: "field" | "operator" | "value";
  readonly message: string;
}

type Compared = Outcome<AccountCondition, ComparisonFault>;
type Comparison = (operator: ComparisonOperator, value: ComparisonValue) => Compared;
type Order = "=" | "!=" | "<" | "<=" | ">" | ">=";
type FieldOf<Kind extends AccountCondition["kind"]> = Extract<
  AccountCondition,
  { readonly kind: Kind; readonly field: AccountConditionField }
>["field"];

/** How each field of an account summary (section 2.2) is compared, in the document's order. */
const comparisons: Readonly<Record<AccountConditionField, Comparison>> = {
  id: text("id"),
  name: text("name"),
  number: text("number"),
  createdDate: time("createdDate"),
  updatedDate: time("updatedDate"),
  balance: amount("balance"),
  holdBalance: amount("holdBalance"),
  customerID: text("customerID"),
  customerName: text("customerName"),
  institutionName: text("institutionName"),
  accountCategory: text("accountCategory"),
  accountType: oneOf("accountType", accountTypes),
  currency: text("currency"),
  currencyCode: text("currencyCode"),
  status: oneOf("status", accountStatuses),
  institutionID: text("institutionID"),
  glAccount: text("glAccount"),
  isVerify: flag("isVerify"),
  ledgerBalance: amount("ledgerBalance"),
  preAuthBalance: amount("preAuthBalance"),
};

const comparisonsByLowerName: ReadonlyMap<string, Comparison> = new Map(
  Object.entries(comparisons).map(([name, comparison]) => [name.toLowerCase(), comparison]),
);

/** Checks one comparison against the type of its field (D-32). Field names match ignoring case, as in D-11. */
export function compare(field: string, operator: ComparisonOperator, value: ComparisonValue): Compared {
  const comparison = comparisonsByLowerName.get(field.toLowerCase());
  if (comparison === undefined) {
    return fault("field", `unknown field: known are ${Object.keys(comparisons).join(", ")}`);
  }
  return comparison(operator, value);
}

/** A word by itself: what the name or the number of an account contains, or starts with (D-32). */
export function nameOrNumber(value: ComparisonValue): AccountCondition {
  const op = value.prefix ? "prefix" : "has";
  return {
    kind: "or",
    terms: [
      { kind: "text", field: "name", op, value: value.text },
      { kind: "text", field: "number", op, value: value.text },
    ],
  };
}

function text(field: FieldOf<"text">): Comparison {
  return (operator, value) => {
    if (!value.prefix) {
      return accepted({ kind: "text", field, op: operator === ":" ? "has" : operator, value: value.text });
    }
    const starts: AccountCondition = { kind: "text", field, op: "prefix", value: value.text };
    if (operator === "=" || operator === ":") return accepted(starts);
    if (operator === "!=") return accepted({ kind: "not", term: starts });
    return fault("operator", "a value ending in * goes with =, != and : only");
  };
}

function oneOf(field: FieldOf<"text">, values: readonly string[]): Comparison {
  return (operator, value) => {
    const op = equality(operator);
    if (op === undefined) return fault("operator", `${field} is compared with =, != and : only`);
    if (value.prefix || !values.includes(value.text)) {
      return fault("value", `${field} is one of ${values.join(", ")}`);
    }
    return accepted({ kind: "text", field, op, value: value.text });
  };
}

function time(field: FieldOf<"time">): Comparison {
  return (operator, value) => {
    const timeMs = value.prefix ? undefined : parseTimestamp(value.text);
    if (timeMs === undefined)
      return fault("value", `${field} is compared with a time such as 2026-01-31T12:00:00Z`);
    return accepted({ kind: "time", field, op: order(operator), value: timeMs });
  };
}

function amount(field: FieldOf<"amount">): Comparison {
  return (operator, value) => {
    const number = value.prefix ? undefined : exactDecimal(value.text);
    const size = number === undefined ? Infinity : Math.abs(number.scale);
    if (
      number === undefined ||
      number.significant.length > significantDigitsMax ||
      size > significantDigitsMax
    ) {
      return fault("value", `${field} is compared with an amount of at most ${significantDigitsMax} digits`);
    }
    const zeros = Math.max(0, -number.scale);
    const digits = BigInt(`${number.negative ? "-" : ""}${number.significant || "0"}`) * 10n ** BigInt(zeros);
    return accepted({ kind: "amount", field, op: order(operator), digits, scale: number.scale + zeros });
  };
}

function flag(field: FieldOf<"flag">): Comparison {
  return (operator, value) => {
    const op = equality(operator);
    if (op === undefined) return fault("operator", `${field} is compared with =, != and : only`);
    if (value.prefix || (value.text !== "true" && value.text !== "false")) {
      return fault("value", `${field} is true or false`);
    }
    return accepted({ kind: "flag", field, op, value: value.text === "true" });
  };
}

/** `:` on a field with one value means that it has that value (AIP-160). */
function order(operator: ComparisonOperator): Order {
  return operator === ":" ? "=" : operator;
}

function equality(operator: ComparisonOperator): "=" | "!=" | undefined {
  const op = order(operator);
  return op === "=" || op === "!=" ? op : undefined;
}

function fault(part: ComparisonFault["part"], message: string): Compared {
  return refused({ part, message });
}
