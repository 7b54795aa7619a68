import type { AccountCondition, AccountConditionField } from "../lists.ts";
import { accepted, refused, type Outcome, parseTimestamp } from "../../../runtime/contract/index.ts";
import { tokenize, type FilterFault, type Token, type ComparisonOperator } from "./tokens.ts";
import { accountStatuses, accountTypes } from "../accounts.ts";
import { exactDecimal, significantDigitsMax } from "../../../runtime/json/index.ts";

/** The limits of D-32. */
export const filterLimits = { charactersMax: 1000, comparisonsMax: 20, depthMax: 8 } as const;

type Parsed = Outcome<AccountCondition, FilterFault>;
type Word = Extract<Token, { kind: "word" }>;
type Operator = Extract<Token, { kind: "operator" }>;

/**
 * Reads a filter over account summaries (D-32, a subset of AIP-160):
 * `expr = term {AND term}`, `term = unary {OR unary}`,
 * `unary = [NOT | -] ( "(" expr ")" | field op value | text )`.
 * OR binds tighter than AND. An empty filter gives no condition. A fault names its column.
 */
export function parseFilter(text: string): Outcome<AccountCondition | undefined, FilterFault> {
  if ([...text].length > filterLimits.charactersMax) {
    return refused({
      column: filterLimits.charactersMax + 1,
      message: `a filter has at most ${filterLimits.charactersMax} characters`,
    });
  }
  const tokens = tokenize(text);
  if (!tokens.ok) return tokens;
  const reader = new TokenReader(tokens.value);
  if (reader.peek().kind === "end") return accepted(undefined);
  const parsed = parseExpression(reader, 0);
  if (!parsed.ok) return parsed;
  const rest = reader.peek();
  return rest.kind === "end" ? parsed : faultAt(rest, "AND, OR or the end expected");
}

/** A position among tokens, and how many comparisons were read so far. */
class TokenReader {
  comparisons = 0;
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** The next token; at the end always `end`. */
  peek(): Token {
    const token = this.#tokens[this.#next] ?? this.#tokens.at(-1);
    if (token === undefined) throw new RangeError("no tokens");
    return token;
  }

  take(): Token {
    const token = this.peek();
    this.#next += 1;
    return token;
  }
}

function parseExpression(reader: TokenReader, depth: number): Parsed {
  return parseChain(reader, "and", () => parseChain(reader, "or", () => parseUnary(reader, depth)));
}

/** One or more parts joined by a keyword; one part alone stands for itself. */
function parseChain(reader: TokenReader, joint: "and" | "or", parsePart: () => Parsed): Parsed {
  const first = parsePart();
  if (!first.ok || reader.peek().kind !== joint) return first;
  const terms = [first.value];
  while (reader.peek().kind === joint) {
    reader.take();
    const next = parsePart();
    if (!next.ok) return next;
    terms.push(next.value);
  }
  return accepted({ kind: joint, terms });
}

function parseUnary(reader: TokenReader, depth: number): Parsed {
  if (reader.peek().kind !== "not") return parsePrimary(reader, depth);
  reader.take();
  const inner = parsePrimary(reader, depth);
  return inner.ok ? accepted({ kind: "not", term: inner.value }) : inner;
}

function parsePrimary(reader: TokenReader, depth: number): Parsed {
  const token = reader.take();
  if (token.kind === "open") return parseGroup(reader, token, depth + 1);
  if (token.kind !== "word") return faultAt(token, "a field, a text or ( expected");
  reader.comparisons += 1;
  if (reader.comparisons > filterLimits.comparisonsMax) {
    return faultAt(token, `a filter has at most ${filterLimits.comparisonsMax} comparisons`);
  }
  const operator = reader.peek();
  if (operator.kind !== "operator") return accepted(nameOrNumber(token));
  reader.take();
  return parseComparison(token, operator, reader.take());
}

function parseGroup(reader: TokenReader, open: Token, depth: number): Parsed {
  if (depth > filterLimits.depthMax) {
    return faultAt(open, `parentheses go at most ${filterLimits.depthMax} deep`);
  }
  const inner = parseExpression(reader, depth);
  if (!inner.ok) return inner;
  const close = reader.take();
  return close.kind === "close" ? inner : faultAt(close, ") expected");
}

function parseComparison(field: Word, operator: Operator, value: Token): Parsed {
  if (field.quoted || field.prefix) return faultAt(field, "a field name is a bare word");
  if (value.kind !== "word") return faultAt(value, "a value expected");
  const compared = compare(field.text, operator.operator, value);
  if (compared.ok) return compared;
  return faultAt(
    { field, operator, value }[compared.fault.part satisfies ComparisonFault["part"]],
    compared.fault.message,
  );
}

function faultAt(token: Token, message: string): Parsed {
  return refused({ column: token.column, message });
}

/** The value side of a comparison. */
interface ComparisonValue {
  readonly text: string;
  /** A trailing `*` was written, which is no part of `text`. */
  readonly prefix: boolean;
}

/** A fault of a comparison, and which of its three parts has it. */
interface ComparisonFault {
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
function compare(field: string, operator: ComparisonOperator, value: ComparisonValue): Compared {
  const comparison = comparisonsByLowerName.get(field.toLowerCase());
  if (comparison === undefined) {
    return fault("field", `unknown field: known are ${Object.keys(comparisons).join(", ")}`);
  }
  return comparison(operator, value);
}

/** A word by itself: what the name or the number of an account contains, or starts with (D-32). */
function nameOrNumber(value: ComparisonValue): AccountCondition {
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
