import { loadChecker } from "./load-checker.ts";
import { messageOf } from "../../../conformance/base/message-of.ts";
import { patternShape } from "./pattern-shape.ts";
import { oncePerText } from "../source/once-per.ts";

/** Why a spec may not have a pattern. */
export type PatternProblem =
  | { readonly kind: "invalid"; readonly reason: string }
  /** `because`: "the time to match one can grow exponentially with its length". */
  | { readonly kind: "slow"; readonly because: string };

/** Longer patterns, and those that expand to more, are not analysed: so the verdict is the same on every machine. */
const charactersMax = 1_000;
const sizeMax = 2_000;
/** In so many ways limited repetitions may be chosen: each may be tried for a text, which takes a millisecond for all. */
const waysMax = 10_000;

/**
 * The fault of the source of a regular expression with the `u` flag; nothing for a sound one. Its matching time grows
 * linearly with the text, even on texts made to be slow. Found once for each pattern.
 */
export const patternProblem = oncePerText(found);

/**
 * The pattern, if texts may be held against it. One that can be slow might never end, one that is invalid cannot begin:
 * either has been reported where it stands.
 */
export function soundPattern(pattern: string | undefined): string | undefined {
  return pattern === undefined || patternProblem(pattern) !== undefined ? undefined : pattern;
}

function found(pattern: string): PatternProblem | undefined {
  const reason = whyInvalid(pattern);
  if (reason !== undefined) return { kind: "invalid", reason };
  const because = whySlow(pattern);
  return because === undefined ? undefined : { kind: "slow", because };
}

/** The reason why the regular expression engine refuses it. */
function whyInvalid(pattern: string): string | undefined {
  try {
    RegExp(pattern, "u");
    return undefined;
  } catch (cause) {
    const text = messageOf(cause);
    return text.slice(text.lastIndexOf(": ") + 2);
  }
}

/** By the theory of automata, which knows no limits: patterns that need theirs are looked at with them, too. */
function whySlow(pattern: string): string | undefined {
  if (pattern.length > charactersMax) return `it has more than ${charactersMax} characters`;
  const { unlimited, ways, size } = patternShape(pattern);
  const reason = growth(unlimited);
  if (reason === undefined) return undefined;
  if (size > sizeMax || ways > waysMax) return reason;
  return growth(pattern);
}

function growth(pattern: string): string | undefined {
  const verdict = loadChecker().checkSync(pattern, "u", { checker: "automaton", timeout: null });
  if (verdict.status === "safe") return undefined;
  if (verdict.status === "unknown") {
    const { error } = verdict;
    return error.kind === "unsupported"
      ? `it has a ${error.message}, which cannot be analysed`
      : "it cannot be analysed";
  }
  const { complexity } = verdict;
  return complexity.type === "polynomial"
    ? `the time to match one can grow with its length to the power of ${complexity.degree}`
    : "the time to match one can grow exponentially with its length";
}

/** How the ends of a pattern are held: a `|` outside of groups would end the reach of either anchor. */
export function anchorsOf(pattern: string) {
  let depth = 0;
  let inClass = false;
  let hasTopAlternative = false;
  let isEndEscaped = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === "\\") {
      at += 1;
      isEndEscaped = at === pattern.length - 1;
    } else if (inClass) inClass = character !== "]";
    else if (character === "[") inClass = true;
    else if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    else if (character === "|" && depth === 0) hasTopAlternative = true;
  }
  return {
    hasTopAlternative,
    startsAnchored: pattern.startsWith("^"),
    endsAnchored: pattern.endsWith("$") && !isEndEscaped,
  };
}
