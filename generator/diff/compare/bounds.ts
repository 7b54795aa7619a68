import type { Step, ValueWalk } from "./value-walk.ts";
import { placesAt } from "./value-walk.ts";
import { code } from "./phrases.ts";

export type BoundKey =
  "minLength" | "maxLength" | "minimum" | "maximum" | "above" | "below" | "minItems" | "maxItems";

/** Compares a bound as written: the value of the key, or undefined where it is not there. */
export function compareBounds(
  walk: ValueWalk,
  step: Step,
  key: BoundKey,
  old: number | undefined,
  recent: number | undefined,
): void {
  if (old === recent) return;
  const before = effective(key, old, step.direction === "request" && step.requiredBefore);
  const now = effective(key, recent, step.direction === "request" && step.requiredNow);
  const places = placesAt(step, key);
  if (before === now) {
    const from = text(key, old);
    const to = text(key, recent);
    const { path, name, of } = step;
    walk.comparison.report("constraint-restated", { path, facts: { name, of, from, to }, ...places });
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

/** No length is below zero; a required string in a request is not empty (D-14). */
function effective(key: BoundKey, value: number | undefined, isRequiredRequest: boolean): number | undefined {
  if (key === "minLength" && value === undefined && isRequiredRequest) return 1;
  return (key === "minLength" || key === "minItems") && value === 0 ? undefined : value;
}

function text(key: BoundKey, value: number | undefined): string {
  return value === undefined ? "" : code(`${key}: ${value}`);
}

export function compareUnique(walk: ValueWalk, step: Step, old: boolean, recent: boolean): void {
  if (old === recent) return;
  const found = {
    facts: { name: step.name, from: String(old), to: String(recent) },
    ...placesAt(step, "uniqueItems"),
  };
  walk.find(recent ? "unique-items-set" : "unique-items-unset", step, found);
}
