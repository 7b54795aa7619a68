import type { JsonObject, JsonValue, MethodDescriptor } from "../../contract/index.ts";
import { foldName, isObject } from "../decode/index.ts";
import { planOf, type ShapePlan } from "./shape-plan.ts";

/** A member that its object does not have. */
export interface UnknownField {
  /** The names and indices that lead to it. */
  readonly path: readonly string[];
  /** The names that its object has. */
  readonly known: readonly string[];
}

/** The members of a payload that the interface does not know, at any depth; names match whatever their case (D-11). */
export function unknownFields(method: MethodDescriptor, written: JsonObject): readonly UnknownField[] {
  return unknownIn(written, planOf(method.payload), []);
}

function unknownIn(object: JsonObject, plan: ShapePlan, path: readonly string[]): readonly UnknownField[] {
  const known = [...new Set([...plan.byName.values()].map(({ name }) => name))];
  return Object.entries(object).flatMap(([key, value]) => {
    const field = plan.byName.get(key) ?? plan.byName.get(foldName(key));
    const at = [...path, key];
    if (field === undefined) return [{ path: at, known }];
    const inner = field.plan();
    return inner === undefined ? [] : unknownBelow(value, inner, at);
  });
}

function unknownBelow(
  value: JsonValue | undefined,
  plan: ShapePlan,
  path: readonly string[],
): readonly UnknownField[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => unknownBelow(item, plan, [...path, String(index)]));
  return isObject(value) ? unknownIn(value, plan, path) : [];
}
