import type { ServiceModel } from "./service-model.ts";

/** The last model where the next one says the same: what was made of it is still right, but for places in the spec. */
export function sharedModel(last: ServiceModel, next: ServiceModel): ServiceModel {
  return saysTheSame(last, next) ? last : next;
}

/** Whether two values have the same members in the same order, whatever the spans. */
function saysTheSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [keys, otherKeys] = [Object.keys(a), Object.keys(b)];
  return (
    keys.length === otherKeys.length &&
    keys.every(
      (key, at) => key === otherKeys[at] && (key === "span" || saysTheSame(member(a, key), member(b, key))),
    )
  );
}

function member(thing: object, key: string): unknown {
  return Reflect.get(thing, key);
}
