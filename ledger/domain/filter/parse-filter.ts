import type { AccountCondition } from "../account-condition.ts";
import { accepted, refused, type Outcome } from "../../../runtime/contract/index.ts";
import { compare, nameOrNumber, type ComparisonFault } from "./comparisons.ts";
import { tokenize, type FilterFault, type Token } from "./tokens.ts";

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
