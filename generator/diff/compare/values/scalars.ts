import { accepts } from "../../../../conformance/values/index.ts";
import type { NumberShape, Shape, StringFormat, StringShape } from "../../../model/index.ts";
import { compareBounds, compareLimits } from "./bounds.ts";
import { containment, type TextRules } from "./pattern-containment.ts";
import { calledIn, placesAt, type Step, type ValueWalk } from "./value-walk.ts";
import { code, literal, typeText } from "../phrases.ts";

export function isNumber(shape: Shape): shape is NumberShape {
  return ["number", "integer", "bigint", "money"].includes(shape.kind);
}

export function compareStrings(walk: ValueWalk, step: Step, old: StringShape, recent: StringShape): void {
  compareConstants(walk, step, old.const, recent.const);
  if (isConstantOfOther(step, old, recent)) return;
  compareFormats(walk, step, old, recent);
  if (compareTexts(walk, step, old, recent)) return;
  compareLengths(walk, step, old, recent);
  comparePatterns(walk, step, old, recent);
}

function compareLengths(walk: ValueWalk, step: Step, old: StringShape, recent: StringShape): void {
  compareBounds(walk, step, "minLength", old.lengthMin, recent.lengthMin);
  compareBounds(walk, step, "maxLength", old.lengthMax, recent.lengthMax);
}

export function compareNumbers(walk: ValueWalk, step: Step, old: NumberShape, recent: NumberShape): void {
  if (old.kind !== recent.kind) {
    const facts = { name: step.name, from: code(old.kind), to: code(recent.kind) };
    const found = { facts, ...placesAt(step, "type") };
    const wider = width(recent.kind) - width(old.kind);
    if (wider !== 0) walk.find(wider > 0 ? "type-widened" : "type-narrowed", step, found);
    if ([old.kind, recent.kind].some((kind) => kind === "money" || kind === "bigint")) {
      const seen = { path: step.path, ...found, facts: { ...facts, ...calledIn(step) } };
      walk.comparison.report("handler-type-changed", seen);
      // An amount is a number to clients, whose digits they may ask for.
      if (old.kind === "bigint" || recent.kind === "bigint")
        walk.comparison.report("client-type-changed", seen);
    }
  }
  compareConstants(walk, step, old.const, recent.const);
  if (isConstantOfOther(step, old, recent)) return;
  compareLimits(walk, step, "least", old, recent);
  compareLimits(walk, step, "greatest", old, recent);
}

/** How many numbers a type takes: whole ones, decimals of 15 digits, any. A bigint is any whole one, held otherwise. */
function width(kind: NumberShape["kind"]): number {
  return ["integer", "money", "number"].indexOf(kind === "bigint" ? "integer" : kind);
}

export function compareBooleans(
  walk: ValueWalk,
  step: Step,
  old: { readonly const?: boolean },
  recent: { readonly const?: boolean },
): void {
  compareConstants(walk, step, old.const, recent.const);
}

function compareFormats(walk: ValueWalk, step: Step, old: StringShape, recent: StringShape): void {
  if (old.format === recent.format) return;
  const found = {
    facts: { name: step.name, from: code(typeText(old)), to: code(typeText(recent)) },
    ...placesAt(step, "type"),
  };
  if (old.format === undefined) walk.find("format-added", step, found);
  else if (recent.format === undefined) walk.find("format-removed", step, found);
  else if (isWithin(old.format, recent.format)) walk.find("format-widened", step, found);
  else if (isWithin(recent.format, old.format)) walk.find("format-narrowed", step, found);
  else walk.find("format-changed", step, found);
}

/** Formats of which every text is of other formats, too. */
const widerFormats: Partial<Record<StringFormat, readonly StringFormat[]>> = {
  timestamp: ["offset-timestamp", "date-time"],
  "offset-timestamp": ["date-time"],
  uri: ["uri-reference"],
  ipv4: ["hostname"],
};

function isWithin(narrow: StringFormat, wide: StringFormat): boolean {
  return widerFormats[narrow]?.includes(wide) === true;
}

type Constant = string | number | boolean | undefined;

function compareConstants(walk: ValueWalk, step: Step, old: Constant, recent: Constant): void {
  if (old === recent) return;
  const found = {
    facts: { name: step.name, from: literal(old), to: literal(recent) },
    ...placesAt(step, "const"),
  };
  if (old === undefined) walk.find("const-added", step, found);
  else walk.find(recent === undefined ? "const-removed" : "const-changed", step, found);
}

/**
 * Whether one is a constant that the other takes: that a constant came or went says all then. What else the other asks
 * for refuses nothing that was right, and frees nothing.
 */
function isConstantOfOther(
  { direction }: Step,
  old: StringShape | NumberShape,
  recent: StringShape | NumberShape,
): boolean {
  if ((old.const === undefined) === (recent.const === undefined)) return false;
  const [constant, other] = old.const === undefined ? [recent.const, old] : [old.const, recent];
  return accepts(other, constant, {
    direction: direction === "request" ? "request" : "response",
    // Texts and numbers refer to nothing.
    resolve: () => other,
  });
}

const patternRules = {
  same: "pattern-restated",
  narrower: "pattern-narrowed",
  wider: "pattern-widened",
  other: "pattern-changed",
  unknown: "pattern-changed",
} as const;

/**
 * Reports how pattern and lengths changed together, where each alone would say something else: a bound may move into the
 * pattern. Returns whether it did; not where it cannot be decided.
 */
function compareTexts(walk: ValueWalk, step: Step, old: StringShape, recent: StringShape): boolean {
  const isPatternOther = old.pattern !== recent.pattern;
  const isLengthOther = old.lengthMin !== recent.lengthMin || old.lengthMax !== recent.lengthMax;
  if (!isPatternOther && (!isLengthOther || old.pattern === undefined)) return false;
  const found = containment(
    textRules(step, old, step.requiredBefore),
    textRules(step, recent, step.requiredNow),
  );
  if (found === "unknown" || found === "other") return false;
  // A rule that came, went or changed alone has a name of its own.
  const isAddedOrRemoved = old.pattern === undefined || recent.pattern === undefined;
  const isOneRule = !isPatternOther || (!isLengthOther && isAddedOrRemoved);
  if (found !== "same" && isOneRule) return false;
  const facts = {
    name: step.name,
    ...(isLengthOther
      ? { from: rulesText(old), to: rulesText(recent) }
      : { from: code(old.pattern ?? ""), to: code(recent.pattern ?? "") }),
  };
  const key = isPatternOther ? "pattern" : old.lengthMax === recent.lengthMax ? "minLength" : "maxLength";
  // Readers sized columns by the lengths: that weighs more than another pattern.
  if (found === "wider" && step.direction !== "request" && isLengthOther)
    compareLengths(walk, step, old, recent);
  else walk.find(patternRules[found], step, { facts, ...placesAt(step, key) });
  return true;
}

/** A required string in a request is not empty (D-14). */
function textRules(
  { direction }: Step,
  { pattern, lengthMin, lengthMax }: StringShape,
  isRequired: boolean,
): TextRules {
  const isFilled = isRequired && direction === "request";
  return { pattern, lengthMin: lengthMin ?? (isFilled ? 1 : 0), lengthMax };
}

function rulesText({ pattern, lengthMin, lengthMax }: StringShape): string {
  const rules = [
    pattern === undefined ? [] : code(pattern),
    lengthMin === undefined ? [] : code(`minLength: ${lengthMin}`),
    lengthMax === undefined ? [] : code(`maxLength: ${lengthMax}`),
  ].flat();
  return rules.length === 0 ? "any text" : rules.join(" with ");
}

function comparePatterns(
  walk: ValueWalk,
  step: Step,
  { pattern: old }: StringShape,
  { pattern: recent }: StringShape,
): void {
  if (old === recent) return;
  const facts = { name: step.name, from: code(old ?? ""), to: code(recent ?? "") };
  const found = { facts, ...placesAt(step, "pattern") };
  if (old === undefined) walk.find("pattern-added", step, found);
  else if (recent === undefined) walk.find("pattern-removed", step, found);
  else {
    const ofPatterns = containment({ pattern: old }, { pattern: recent });
    walk.find(patternRules[ofPatterns], step, found);
  }
}
