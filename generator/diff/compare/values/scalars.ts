import { accepts } from "../../../../conformance/values/index.ts";
import type { NumberShape, Shape, StringFormat, StringShape } from "../../../model/index.ts";
import { compareBounds, compareLimits, wholeRange } from "./bounds.ts";
import type { ComparedValue } from "./enums.ts";
import { containment, type Containment, type TextRules } from "./pattern-containment.ts";
import { calledIn, placesAt, type Resolved, type Step, type ValueWalk } from "./value-walk.ts";
import { code, literal, typeText } from "../phrases.ts";

export function isNumber(shape: Shape): shape is NumberShape {
  return ["number", "integer", "bigint", "money"].includes(shape.kind);
}

export function compareStrings(walk: ValueWalk, step: Step, old: StringShape, recent: StringShape): void {
  compareConstants(walk, step, old.const, recent.const);
  if (isConstantOfOther(step, old, recent)) return;
  if (compareTexts(walk, step, old, recent)) return;
  compareFormats(walk, step, old, recent);
  compareBounds(walk, step, "minLength", old.lengthMin, recent.lengthMin);
  compareBounds(walk, step, "maxLength", old.lengthMax, recent.lengthMax);
  comparePatterns(walk, step, old, recent);
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
  const constant = oneNumber(old);
  if ((old.const === undefined) !== (recent.const === undefined) && constant === oneNumber(recent)) {
    const facts = { ...calledIn(step), from: code(oneNumberText(old)), to: code(oneNumberText(recent)) };
    walk.comparison.report("constraint-restated", { path: step.path, facts, ...placesAt(step, "const") });
    return;
  }
  compareConstants(walk, step, old.const, recent.const);
  if (isConstantOfOther(step, old, recent)) return;
  compareLimits(walk, step, "least", old, recent);
  compareLimits(walk, step, "greatest", old, recent);
}

/** The only number that a shape takes; undefined where it takes several. */
function oneNumber(shape: NumberShape): number | undefined {
  const [least, greatest] = wholeRange(shape) ?? [];
  return shape.const ?? (least === greatest ? least : undefined);
}

function oneNumberText({ const: constant, minimum, above, maximum, below }: NumberShape): string {
  if (constant !== undefined) return `const: ${constant}`;
  const bounds = Object.entries({ minimum, above, maximum, below });
  return bounds.flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${value}`])).join(", ");
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
  walk.find(formatFamily(old.format, recent.format), step, {
    facts: { name: step.name, from: code(typeText(old)), to: code(typeText(recent)) },
    ...placesAt(step, "type"),
  });
}

function formatFamily(old: StringFormat | undefined, recent: StringFormat | undefined) {
  if (old === undefined) return "format-added";
  if (recent === undefined) return "format-removed";
  if (isWithin(old, recent)) return "format-widened";
  return isWithin(recent, old) ? "format-narrowed" : "format-changed";
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
  step: Step,
  old: StringShape | NumberShape,
  recent: StringShape | NumberShape,
): boolean {
  if ((old.const === undefined) === (recent.const === undefined)) return false;
  const [constant, other] = old.const === undefined ? [recent.const, old] : [old.const, recent];
  return takes(step, other, constant);
}

function takes({ direction }: Step, shape: Resolved, value: unknown): boolean {
  return accepts(shape, value, {
    direction: direction === "request" ? "request" : "response",
    // Only of texts and numbers is it asked, which refer to nothing.
    resolve: () => shape,
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
 * Reports how format, pattern and lengths changed together. Each alone would say something else: a bound may move
 * into the pattern, or follow from the format. Returns whether it did; not where it cannot be decided.
 */
function compareTexts(walk: ValueWalk, step: Step, old: StringShape, recent: StringShape): boolean {
  const isFormatOther = old.format !== recent.format;
  const isPatternOther = old.pattern !== recent.pattern;
  const isLengthOther = old.lengthMin !== recent.lengthMin || old.lengthMax !== recent.lengthMax;
  const isAnyOther = isFormatOther || isPatternOther || isLengthOther;
  if (!isAnyOther || [old, recent].every(({ format, pattern }) => (format ?? pattern) === undefined))
    return false;
  const found = containment(
    textRules(step, old, step.requiredBefore),
    textRules(step, recent, step.requiredNow),
  );
  if (found === "unknown" || found === "other") return false;
  if (isFormatOther && formatSays(found, formatFamily(old.format, recent.format))) {
    compareFormats(walk, step, old, recent);
    return true;
  }
  // A rule that came, went or changed alone has a name of its own.
  const isAddedOrRemoved = old.pattern === undefined || recent.pattern === undefined;
  const isOneRule = !isFormatOther && (!isPatternOther || (!isLengthOther && isAddedOrRemoved));
  if (found !== "same" && isOneRule) return false;
  const isPatternAlone = !isFormatOther && !isLengthOther;
  const facts = {
    name: step.name,
    ...(isPatternAlone
      ? { from: code(old.pattern ?? ""), to: code(recent.pattern ?? "") }
      : { from: rulesText(old), to: rulesText(recent) }),
  };
  const lengthKey = old.lengthMax === recent.lengthMax ? "minLength" : "maxLength";
  const key = isFormatOther ? "type" : isPatternOther ? "pattern" : lengthKey;
  walk.find(patternRules[found], step, { facts, ...placesAt(step, key) });
  return true;
}

/** Whether the change of format alone says how the texts changed: what else came or went follows from it. */
function formatSays(found: "same" | "narrower" | "wider", family: ReturnType<typeof formatFamily>): boolean {
  if (family === "format-added" || family === "format-narrowed") return found === "narrower";
  return family !== "format-changed" && found === "wider";
}

/** How what a shape takes lies to the values of an enum: `wider` where it takes more. */
export function besideValues(step: Step, values: readonly ComparedValue[], shape: Resolved): Containment {
  const texts = values.flatMap(({ value }) => (typeof value === "string" ? literally(value) : []));
  if (shape.kind === "string" && texts.length === values.length) {
    const isRequired = step.requiredBefore && step.requiredNow;
    const found = containment({ pattern: `^(?:${texts.join("|")})$` }, textRules(step, shape, isRequired));
    if (found !== "unknown" && found !== "other") return found;
  }
  const isWider = values.every(({ value }) => takes(step, shape, value));
  const isNarrower = isNumber(shape) && isListed(wholeRange(shape), values);
  if (isWider) return isNarrower ? "same" : "wider";
  return isNarrower ? "narrower" : "other";
}

/** Whether each number of a range is one of the values. */
function isListed(range: readonly [number, number] | undefined, values: readonly ComparedValue[]): boolean {
  if (range === undefined) return false;
  const [least, greatest] = range;
  const listed = values.filter(
    ({ value }) => typeof value === "number" && value >= least && value <= greatest,
  );
  return listed.length === greatest - least + 1;
}

/** As a pattern that matches this text alone. */
function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** A required string in a request is not empty (D-14). */
function textRules(
  { direction }: Step,
  { format, pattern, lengthMin, lengthMax }: StringShape,
  isRequired: boolean,
): TextRules {
  const isFilled = isRequired && direction === "request";
  return { format, pattern, lengthMin: lengthMin ?? (isFilled ? 1 : 0), lengthMax };
}

function rulesText({ format, pattern, lengthMin, lengthMax }: StringShape): string {
  const rules = [
    format === undefined ? [] : code(format),
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
