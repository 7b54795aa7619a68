import type { NumberShape, Shape } from "../../../model/index.ts";
import { languageOf } from "../../../protocols/languages.ts";
import type { Step, ValueWalk } from "./value-walk.ts";
import { calledIn, placesAt } from "./value-walk.ts";
import { code } from "../phrases.ts";

export type BoundKey =
  | "minLength"
  | "maxLength"
  | "minimum"
  | "maximum"
  | "above"
  | "below"
  | "minItems"
  | "maxItems";

/** Compares a bound as written: the value of the key, or undefined where it is not there. */
export function compareBounds(
  walk: ValueWalk,
  step: Step,
  key: BoundKey,
  old: number | undefined,
  recent: number | undefined,
): void {
  if (old === recent) return;
  const isOnce = old === undefined || recent === undefined;
  const before = effective(key, old, step.direction === "request" && step.requiredBefore);
  const now = effective(key, recent, step.direction === "request" && step.requiredNow);
  const places = placesAt(step, key);
  if (before === now || (isOnce && isBoundOfRequests(walk, step, key, old ?? recent))) {
    const from = text(key, old);
    const to = text(key, recent);
    const facts = { ...calledIn(step), from, to };
    walk.comparison.report("constraint-restated", { path: step.path, facts, ...places });
    return;
  }
  const facts = { name: step.name, from: text(key, before), to: text(key, now) };
  const found = { facts, ...places };
  if (before === undefined) walk.find("bound-set", step, found);
  else if (now === undefined) walk.find("bound-unset", step, found);
  else {
    const isTighter = key.startsWith("min") || key === "above" ? now > before : now < before;
    walk.find(isTighter ? "bound-tightened" : "bound-loosened", step, found);
  }
}

/** A bound of numbers: the value itself may be out of bounds. */
interface Limit {
  readonly key: "minimum" | "above" | "maximum" | "below";
  readonly value: number;
  readonly isExcluded: boolean;
}

/** Compares the least or the greatest number that two shapes take, whether it is written as taken or as excluded. */
export function compareLimits(
  walk: ValueWalk,
  step: Step,
  side: "least" | "greatest",
  old: NumberShape,
  recent: NumberShape,
): void {
  const [before, now] = [limitOf(side, old), limitOf(side, recent)];
  if (before === undefined || now === undefined || before.key === now.key) {
    const key = (before ?? now)?.key;
    if (key !== undefined) compareBounds(walk, step, key, old[key], recent[key]);
    return;
  }
  const facts = {
    name: step.name,
    from: text(before.key, old[before.key]),
    to: text(now.key, recent[now.key]),
  };
  const found = { facts, ...placesAt(step, now.key) };
  const order = orderOf(side, before, now);
  if (order === 0)
    walk.comparison.report("constraint-restated", {
      path: step.path,
      ...found,
      facts: { ...facts, ...calledIn(step) },
    });
  else walk.find(order > 0 ? "bound-tightened" : "bound-loosened", step, found);
}

/** The least and the greatest of a range of whole numbers; undefined where there is no such range, or it is open. */
export function wholeRange(shape: NumberShape): readonly [number, number] | undefined {
  if (shape.kind !== "integer") return undefined;
  if (shape.const !== undefined) return [shape.const, shape.const];
  const [least, greatest] = [limitOf("least", shape), limitOf("greatest", shape)];
  if (least === undefined || greatest === undefined) return undefined;
  return [Math.ceil(least.value), Math.floor(greatest.value)];
}

/** The tighter of the two that a shape may have. */
function limitOf(side: "least" | "greatest", shape: NumberShape): Limit | undefined {
  const [taken, excluded] =
    side === "least" ? (["minimum", "above"] as const) : (["maximum", "below"] as const);
  const limits = [limitAt(shape, taken, false), limitAt(shape, excluded, true)];
  return limits.reduce((one, other) =>
    one === undefined || (other !== undefined && orderOf(side, one, other) > 0) ? other : one,
  );
}

/** The number beyond an excluded whole number is taken. */
function limitAt(shape: NumberShape, key: Limit["key"], isExcluded: boolean): Limit | undefined {
  const value = shape[key];
  const isWhole = shape.kind === "integer" || shape.kind === "bigint";
  if (value === undefined || !isExcluded || !isWhole)
    return value === undefined ? value : { key, value, isExcluded };
  return { key, value: key === "above" ? Math.floor(value) + 1 : Math.ceil(value) - 1, isExcluded: false };
}

/** Above 0 where `now` takes less than `before`. */
function orderOf(side: "least" | "greatest", before: Limit, now: Limit): number {
  const order = side === "least" ? now.value - before.value : before.value - now.value;
  return order === 0 ? Number(now.isExcluded) - Number(before.isExcluded) : order;
}

/** Whether a bound is the one that every request has by its protocol (D-10). */
function isBoundOfRequests(
  { comparison }: ValueWalk,
  { direction }: Step,
  key: BoundKey,
  value: number | undefined,
): boolean {
  const limits = [comparison.old, comparison.new].map(({ wire }) => languageOf(wire.protocol).requestMax);
  return (
    direction === "request" &&
    value !== undefined &&
    limits.every(
      (limit) =>
        (key === "maxLength" && value === limit?.text) || (key === "maxItems" && value === limit?.items),
    )
  );
}

/** No length is below zero; a required string in a request is not empty (D-14). */
function effective(key: BoundKey, value: number | undefined, isRequiredRequest: boolean): number | undefined {
  if (key === "minLength" && value === undefined && isRequiredRequest) return 1;
  return (key === "minLength" || key === "minItems") && value === 0 ? undefined : value;
}

function text(key: BoundKey, value: number | undefined): string {
  return value === undefined ? "" : code(`${key}: ${value}`);
}

type ArrayShape = Extract<Shape, { kind: "array" }>;

/** Compares whether items have to differ: one alone has none to be like. */
export function compareUnique(walk: ValueWalk, step: Step, old: ArrayShape, recent: ArrayShape): void {
  if (old.unique === recent.unique) return;
  const places = placesAt(step, "uniqueItems");
  if (mustDiffer(old) === mustDiffer(recent)) {
    const facts = { ...calledIn(step), from: uniqueText(old), to: uniqueText(recent) };
    walk.comparison.report("constraint-restated", { path: step.path, facts, ...places });
    return;
  }
  const facts = { name: step.name, from: String(old.unique), to: String(recent.unique) };
  walk.find(recent.unique ? "unique-items-set" : "unique-items-unset", step, { facts, ...places });
}

function mustDiffer({ unique, itemsMax }: ArrayShape): boolean {
  return unique || (itemsMax !== undefined && itemsMax < 2);
}

function uniqueText({ unique }: ArrayShape): string {
  return unique ? code("uniqueItems: true") : "";
}
