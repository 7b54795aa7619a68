import { typeOf, type Shape } from "../../../model/index.ts";
import { compareBounds, compareUnique } from "./bounds.ts";
import { compareEnums, compareOpenness, constantAsEnum } from "./enums.ts";
import { compareObjects } from "./objects.ts";
import { besideValues, compareBooleans, compareNumbers, compareStrings, isNumber } from "./scalars.ts";
import { compareStandardShapes } from "./standard-shapes.ts";
import type { Resolved, Step, ValueWalk } from "./value-walk.ts";
import { calledIn, placesAt } from "./value-walk.ts";
import { code, typeText } from "../phrases.ts";

/** Compares what two revisions take or give at one place of a value. */
export function compareShapes(walk: ValueWalk, step: Step, old: Shape, recent: Shape): void {
  if (old.kind !== "ref" && recent.kind !== "ref") {
    compareResolved(walk, step, old, recent);
    return;
  }
  const before = old.kind === "ref" ? typeOf(walk.old, old) : undefined;
  const now = recent.kind === "ref" ? typeOf(walk.new, recent) : undefined;
  if (before !== undefined && now !== undefined && walk.comparison.types.get(now.name) === before) {
    walk.reach(step, before, now);
    return;
  }
  // Types of different names are compared where they meet; a pair that is met again on the way is not followed.
  const met = `${typeText(old)} ${typeText(recent)}`;
  if (step.trail.includes(met)) return;
  const types = { old: before?.name ?? step.types?.old, new: now?.name ?? step.types?.new };
  const inner = { ...step, trail: [...step.trail, met], types };
  compareShapes(walk, inner, before?.shape ?? old, now?.shape ?? recent);
}

function compareResolved(walk: ValueWalk, step: Step, old: Resolved, recent: Resolved): void {
  if (compareStandardShapes(walk, step, old, recent, compareShapes)) return;
  if (old.kind === "object" && recent.kind === "object") {
    compareObjects(walk, step, old, recent, compareShapes);
  } else if (old.kind === "array" && recent.kind === "array") {
    compareBounds(walk, step, "minItems", old.itemsMin, recent.itemsMin);
    compareBounds(walk, step, "maxItems", old.itemsMax, recent.itemsMax);
    compareUnique(walk, step, old, recent);
    const path = `${step.path}[]`;
    const items = { ...step, path, types: {}, requiredBefore: false, requiredNow: false };
    compareShapes(walk, items, old.items, recent.items);
  } else if (old.kind === "enum" && recent.kind === "enum" && !isOtherEnum(step, old, recent)) {
    compareOpenness(walk, step, old, recent);
    compareEnums(walk, step, old.values, recent.values, old.open);
  } else if (old.kind === "string" && recent.kind === "string") {
    compareStrings(walk, step, old, recent);
  } else if (old.kind === "boolean" && recent.kind === "boolean") {
    compareBooleans(walk, step, old, recent);
  } else if (isNumber(old) && isNumber(recent)) {
    compareNumbers(walk, step, old, recent);
  } else {
    compareKinds(walk, step, old, recent);
  }
}

/** Kinds of value that have little in common; but an enum is a string, and a constant is an enum of one value. */
function compareKinds(walk: ValueWalk, step: Step, old: Resolved, recent: Resolved): void {
  const before = constantAsEnum(old);
  const now = constantAsEnum(recent);
  if (before !== undefined && now !== undefined && !(old.kind === "enum" && recent.kind === "enum")) {
    compareEnums(walk, step, before, now);
    return;
  }
  const from = code(step.types?.old ?? typeText(old));
  const to = code(step.types?.new ?? typeText(recent));
  const facts = { name: step.name, from, to };
  const found = { facts, ...placesAt(step, "type") };
  const [values, other] = before === undefined ? [now, old] : [before, recent];
  const isOneEnum = values !== undefined && (before === undefined || now === undefined);
  const beside = isOneEnum ? besideValues(step, values, other) : "other";
  if (beside === "same" && isNumber(other))
    walk.comparison.report("constraint-restated", {
      path: step.path,
      ...found,
      facts: { ...facts, ...calledIn(step) },
    });
  else if (beside === "same") walk.find("pattern-restated", step, found);
  else if (beside !== "wider" && beside !== "narrower") walk.find("type-changed", step, found);
  else
    walk.find(
      (beside === "wider") === (before !== undefined) ? "type-widened" : "type-narrowed",
      step,
      found,
    );
}

type EnumShape = Extract<Resolved, { kind: "enum" }>;

/** Whether an enum has taken the place of another with which it shares nothing: values are neither added nor removed then. */
function isOtherEnum({ types }: Step, old: EnumShape, recent: EnumShape): boolean {
  if (types?.old === undefined || types.new === undefined) return false;
  const names = new Set(old.values.map(({ value }) => value));
  return !recent.values.some(
    ({ value, renamedFrom }) => names.has(value) || (renamedFrom !== undefined && names.has(renamedFrom)),
  );
}
