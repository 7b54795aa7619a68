import { accepted, refused, type Outcome } from "../../../runtime/contract/index.ts";

/** An error of a filter, and its position. */
export interface FilterFault {
  /** From 1, in characters. */
  readonly column: number;
  readonly message: string;
}

const comparisonOperators = ["=", "!=", "<", "<=", ">", ">=", ":"] as const;
export type ComparisonOperator = (typeof comparisonOperators)[number];

/** A word of a filter. `prefix` is a trailing `*`, which is no part of `text`. */
export type Token =
  | { readonly kind: "open" | "close" | "and" | "or" | "not" | "end"; readonly column: number }
  | { readonly kind: "operator"; readonly column: number; readonly operator: ComparisonOperator }
  | {
      readonly kind: "word";
      readonly column: number;
      readonly text: string;
      readonly quoted: boolean;
      readonly prefix: boolean;
    };

const keywords: ReadonlyMap<string, "and" | "or" | "not"> = new Map([
  ["AND", "and"],
  ["OR", "or"],
  ["NOT", "not"],
]);
const operatorAt = /(?:!=|<=|>=|[=<>:])/y;
const bareWordAt = /[^\s()"=!<>:]+/y;
/** After an operator a bare value may hold colons, as times do. */
const bareValueAt = /[^\s()"=!<>]+/y;
const quotedAt = /"((?:[^"\\]|\\.)*)"/suy;

/** Splits a filter into words; the last token is `end`. */
export function tokenize(text: string): Outcome<readonly Token[], FilterFault> {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    at = skipSpace(text, at);
    const previous = tokens.at(-1);
    const read = tokenAt(text, at, previous?.kind === "operator");
    if (typeof read === "string") return refused({ column: columnOf(text, at), message: read });
    tokens.push(read.token);
    if (read.token.kind === "end") return accepted(tokens);
    at = read.end;
  }
}

/** The column, from 1, of a UTF-16 offset. */
function columnOf(text: string, offset: number): number {
  return Array.from(text.slice(0, offset)).length + 1;
}

interface ReadToken {
  readonly token: Token;
  readonly end: number;
}

/** The token at an offset, or what is wrong there. */
function tokenAt(text: string, at: number, afterOperator: boolean): ReadToken | string {
  const column = columnOf(text, at);
  const first = text[at];
  if (first === undefined) return { token: { kind: "end", column }, end: at };
  if (first === "(") return { token: { kind: "open", column }, end: at + 1 };
  if (first === ")") return { token: { kind: "close", column }, end: at + 1 };
  if (first === '"') return quotedWord(text, at, column);
  const operator = comparisonOperators.find((known) => known === matchAt(operatorAt, text, at)?.[0]);
  if (operator !== undefined) {
    return { token: { kind: "operator", column, operator }, end: at + operator.length };
  }
  if (first === "-" && !afterOperator) return { token: { kind: "not", column }, end: at + 1 };
  return bareWord(text, at, column, afterOperator);
}

function bareWord(text: string, at: number, column: number, afterOperator: boolean): ReadToken | string {
  const word = matchAt(afterOperator ? bareValueAt : bareWordAt, text, at)?.[0];
  if (word === undefined) return `unexpected "${text[at]}"`;
  const end = at + word.length;
  const keyword = afterOperator ? undefined : keywords.get(word);
  if (keyword !== undefined) return { token: { kind: keyword, column }, end };
  const prefix = word.endsWith("*");
  return {
    token: { kind: "word", column, text: prefix ? word.slice(0, -1) : word, quoted: false, prefix },
    end,
  };
}

function quotedWord(text: string, at: number, column: number): ReadToken | string {
  const match = matchAt(quotedAt, text, at);
  if (match === undefined) return "a quoted text has no end";
  const [whole, inner = ""] = match;
  // An escaped asterisk is consumed as a pair, so it is no trailing one.
  const prefix = /^(?:[^\\]|\\.)*\*$/su.test(inner);
  const unescaped = (prefix ? inner.slice(0, -1) : inner).replace(/\\(.)/gsu, "$1");
  return { token: { kind: "word", column, text: unescaped, quoted: true, prefix }, end: at + whole.length };
}

function skipSpace(text: string, at: number): number {
  return at + (matchAt(/\s*/y, text, at)?.[0].length ?? 0);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
