import { DFA, isDisjointWith, JS, NFA } from "refa";

/** How the texts that match a pattern lie to those that match another; `unknown` where it cannot be decided. */
export type Containment = "same" | "narrower" | "wider" | "other" | "unknown";

const nodesMax = 5_000;

/** Whether `recent` takes what `old` takes. Both are ECMAScript sources for the `u` flag. */
export function containment(old: string, recent: string): Containment {
  try {
    const [before, now] = [automatonOf(old), automatonOf(recent)];
    if (before === undefined || now === undefined) return "unknown";
    const isNarrower = isWithin(now, before);
    const isWider = isWithin(before, now);
    if (isNarrower && isWider) return "same";
    if (isNarrower) return "narrower";
    return isWider ? "wider" : "other";
  } catch {
    // A look-around, a back reference, or more states than anyone can wait for.
    return "unknown";
  }
}

interface Automaton {
  readonly nfa: NFA;
  readonly maxCharacter: number;
}

/** Undefined where the anchors are not those around the whole. */
function automatonOf(source: string): Automaton | undefined {
  const parser = JS.Parser.fromLiteral({ source, flags: "u" });
  const [whole, ...others] = parser.ast.pattern.alternatives;
  const [first, last] = [whole?.elements[0], whole?.elements.at(-1)];
  const isAnchored =
    others.length === 0 &&
    first?.type === "Assertion" &&
    first.kind === "start" &&
    last?.type === "Assertion" &&
    last.kind === "end";
  if (!isAnchored) return undefined;
  const inner = JS.Parser.fromLiteral({
    source: source.slice(first.raw.length, -last.raw.length),
    flags: "u",
  });
  const { expression, maxCharacter } = inner.parse({
    assertions: "throw",
    backreferences: "throw",
    maxNodes: nodesMax,
  });
  return {
    nfa: NFA.fromRegex(expression, { maxCharacter }, {}, new NFA.LimitedNodeFactory(nodesMax)),
    maxCharacter,
  };
}

/** Whether every text of one is one of the other: none is of the one and not of the other. */
function isWithin({ nfa }: Automaton, other: Automaton): boolean {
  const rest = DFA.fromFA(other.nfa, new DFA.LimitedNodeFactory(nodesMax));
  rest.complement();
  return isDisjointWith(nfa, rest);
}
