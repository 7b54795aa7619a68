import { createRequire } from "node:module";
import type * as Refa from "refa";
import type { DFA, JS, NFA } from "refa";
import type { StringFormat } from "../../../model/index.ts";
import { formatPatterns } from "../../../language/formats.ts";

/** How the texts that one shape takes lie to those that another takes; `unknown` where it cannot be decided. */
export type Containment = "same" | "narrower" | "wider" | "other" | "unknown";

/** Constraints of a text. */
export interface TextRules {
  readonly format?: StringFormat | undefined;
  /** An ECMAScript source for the `u` flag. */
  readonly pattern?: string | undefined;
  /** In characters. */
  readonly lengthMin?: number | undefined;
  readonly lengthMax?: number | undefined;
}

type Alternative = JS.Parser["ast"]["pattern"]["alternatives"][number];
type Element = Alternative["elements"][number];

const nodesMax = 5_000;
const anything = "[^]*";

/** The format that asks for more than its pattern says: that hosts beyond ASCII are names. */
const stricterFormat: StringFormat = "url";

/** Loaded with the first two patterns to compare: a run without earlier revisions has none. */
let loaded: typeof Refa | undefined;

function refa(): typeof Refa {
  const library: typeof Refa = loaded ?? createRequire(import.meta.url)("refa");
  loaded = library;
  return library;
}

/** Whether `recent` takes the texts that `old` takes. */
export function containment(old: TextRules, recent: TextRules): Containment {
  try {
    const [before, now] = [languageOf(old), languageOf(recent)];
    const isDecided = ({ format }: TextRules): boolean =>
      old.format === recent.format || format !== stricterFormat;
    const isNarrower = isDecided(old) && isWithin(now, before);
    const isWider = isDecided(recent) && isWithin(before, now);
    if (isNarrower && isWider) return "same";
    if (isNarrower) return "narrower";
    return isWider ? "wider" : "other";
  } catch {
    // A look-around within, a back reference, or more states than anyone can wait for.
    return "unknown";
  }
}

function languageOf({ format, pattern, lengthMin = 0, lengthMax }: TextRules): DFA {
  const lengths = languageOfSource(`[^]{${lengthMin},${lengthMax ?? ""}}`);
  return [format && formatPatterns[format], pattern]
    .flatMap((source) => (source === undefined ? [] : languageOfPattern(source)))
    .reduce(intersection, lengths);
}

function languageOfPattern(source: string): DFA {
  return languageOfAny(parserOf(source).ast.pattern.alternatives, false);
}

/** @param isAtStart whether the alternatives begin where the text does, also without an anchor */
function languageOfAny(alternatives: readonly Alternative[], isAtStart: boolean): DFA {
  const [first, ...others] = alternatives.map((each) => languageOfAlternative(each, isAtStart));
  if (first === undefined) throw new Error("a pattern has an alternative");
  if (others.length === 0) return first;
  const all = refa().NFA.fromFA(first, nfaNodes());
  for (const other of others) all.union(refa().NFA.fromFA(other, nfaNodes()), nfaNodes());
  return refa().DFA.fromFA(all, dfaNodes());
}

/** Look-aheads at the beginning of the text are conditions on all of it. */
function languageOfAlternative({ elements }: Alternative, isAtStart: boolean): DFA {
  const rest = [...elements];
  const [first, last] = [rest.at(0), rest.at(-1)];
  const isStart = first?.type === "Assertion" && first.kind === "start";
  if (isStart) rest.shift();
  const isEnd = last?.type === "Assertion" && last.kind === "end";
  if (isEnd) rest.pop();
  const isAnchored = isStart || isAtStart;
  const lookAheads = isAnchored ? rest.findIndex((each) => !isLookAhead(each)) : 0;
  const conditions = rest.splice(0, lookAheads < 0 ? rest.length : lookAheads).map(languageAhead);
  const inner = `(?:${rest.map(({ raw }) => raw).join("")})`;
  const whole = `${isAnchored ? "" : anything}${inner}${isEnd ? "" : anything}`;
  return conditions.reduce(intersection, languageOfSource(whole));
}

function isLookAhead(element: Element): boolean {
  return element.type === "Assertion" && element.kind === "lookahead";
}

/** The texts that begin as a look-ahead at their beginning asks for. */
function languageAhead(element: Element): DFA {
  if (element.type !== "Assertion" || element.kind !== "lookahead") throw new Error("this is no look-ahead");
  const language = languageOfAny(element.alternatives, true);
  if (element.negate) language.complement(dfaNodes());
  return language;
}

/** The texts that a source without anchors matches as a whole. @throws Error where it has an assertion */
function languageOfSource(source: string): DFA {
  const parsed = parserOf(source).parse({ assertions: "throw", backreferences: "throw", maxNodes: nodesMax });
  return refa().DFA.fromFA(refa().NFA.fromRegex(parsed.expression, parsed, {}, nfaNodes()), dfaNodes());
}

function parserOf(source: string): JS.Parser {
  return refa().JS.Parser.fromLiteral({ source, flags: "u" });
}

function intersection(one: DFA, other: DFA): DFA {
  return refa().DFA.fromIntersection(one, other, dfaNodes());
}

/** Whether every text of one is one of the other: none is of the one and not of the other. */
function isWithin(one: DFA, other: DFA): boolean {
  const rest = other.copy(dfaNodes());
  rest.complement(dfaNodes());
  return refa().isDisjointWith(one, rest);
}

function dfaNodes(): DFA.LimitedNodeFactory {
  return new (refa().DFA.LimitedNodeFactory)(nodesMax);
}

function nfaNodes(): NFA.LimitedNodeFactory {
  return new (refa().NFA.LimitedNodeFactory)(nodesMax);
}
