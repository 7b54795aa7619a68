import type { NumberShape, Shape, StringFormat, StringShape } from "../../model/index.ts";
import { compareBounds } from "./bounds.ts";
import { containment } from "./pattern-containment.ts";
import { placesAt, type Step, type ValueWalk } from "./value-walk.ts";
import { code, literal, typeText } from "./phrases.ts";

export function isNumber(shape: Shape): shape is NumberShape {
  return shape.kind === "number" || shape.kind === "integer" || shape.kind === "money";
}

export function compareStrings(walk: ValueWalk, step: Step, old: StringShape, recent: StringShape): void {
  compareFormats(walk, step, old, recent);
  compareConstants(walk, step, old.const, recent.const);
  compareBounds(walk, step, "minLength", old.lengthMin, recent.lengthMin);
  compareBounds(walk, step, "maxLength", old.lengthMax, recent.lengthMax);
  comparePatterns(walk, step, old.pattern, recent.pattern);
}

export function compareNumbers(walk: ValueWalk, step: Step, old: NumberShape, recent: NumberShape): void {
  if (old.kind !== recent.kind) {
    const facts = { name: step.name, from: code(old.kind), to: code(recent.kind) };
    const found = { facts, ...placesAt(step, "type") };
    walk.find(width(recent.kind) > width(old.kind) ? "type-widened" : "type-narrowed", step, found);
    if (old.kind === "money" || recent.kind === "money") {
      const { path, of } = step;
      walk.comparison.report("handler-type-changed", { path, ...found, facts: { ...facts, of } });
    }
  }
  compareConstants(walk, step, old.const, recent.const);
  compareBounds(walk, step, "minimum", old.minimum, recent.minimum);
  compareBounds(walk, step, "maximum", old.maximum, recent.maximum);
  compareBounds(walk, step, "above", old.above, recent.above);
  compareBounds(walk, step, "below", old.below, recent.below);
}

/** How many numbers a type takes: whole ones, decimals of 15 digits, any. */
function width(kind: NumberShape["kind"]): number {
  return ["integer", "money", "number"].indexOf(kind);
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

/** Whether every text of one format is of the other too. */
function isWithin(narrow: StringFormat, wide: StringFormat): boolean {
  return narrow === "timestamp" && wide === "offset-timestamp";
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

const patternRules = {
  same: "pattern-restated",
  narrower: "pattern-narrowed",
  wider: "pattern-widened",
  other: "pattern-changed",
  unknown: "pattern-changed",
} as const;

function comparePatterns(
  walk: ValueWalk,
  step: Step,
  old: string | undefined,
  recent: string | undefined,
): void {
  if (old === recent) return;
  const facts = { name: step.name, from: code(old ?? ""), to: code(recent ?? "") };
  const found = { facts, ...placesAt(step, "pattern") };
  if (old === undefined) walk.find("pattern-added", step, found);
  else if (recent === undefined) walk.find("pattern-removed", step, found);
  else walk.find(patternRules[containment(old, recent)], step, found);
}
