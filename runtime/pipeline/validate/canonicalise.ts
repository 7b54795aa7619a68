import type { JsonObject, JsonValue } from "../../contract/index.ts";
import { foldName, isObject } from "../decode/index.ts";
import { memberPointer, type FieldFault } from "./field-fault.ts";
import type { PlannedField, ShapePlan } from "./shape-plan.ts";

/** A payload in canonical names, and what was wrong with the names and nulls in it. */
export interface Canonical {
  readonly payload: MutableObject;
  readonly faults: FieldFault[];
  /** Every amount, where it stands and how it was written. */
  readonly amounts: Amount[];
}

export interface Amount {
  readonly holder: Record<string | number, unknown>;
  readonly key: string | number;
  readonly pointer: string;
  readonly lexeme: string;
}

export type MutableObject = Record<string, unknown>;

interface Walk {
  readonly faults: FieldFault[];
  readonly amounts: Amount[];
  readonly rejectUnknown: boolean;
}

/**
 * Rewrites a payload by its shape: names become canonical (D-11), unknown members are dropped or faulted (D-13),
 * nulls are faulted (D-14). `lexemes` is the same payload with every number as the text it was written in.
 */
export function canonicalise(
  payload: JsonObject,
  lexemes: unknown,
  plan: ShapePlan,
  rejectUnknown: boolean,
): Canonical {
  const walk: Walk = { faults: [], amounts: [], rejectUnknown };
  return { payload: canonicalObject(payload, lexemes, plan, "", walk), ...walk };
}

function canonicalObject(
  object: JsonObject,
  lexemes: unknown,
  plan: ShapePlan,
  pointer: string,
  walk: Walk,
): MutableObject {
  const result: MutableObject = {};
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value === undefined) continue;
    const field = plan.byName.get(key) ?? plan.byName.get(foldName(key));
    if (field === undefined) {
      if (walk.rejectUnknown)
        walk.faults.push({ pointer: memberPointer(pointer, key), reason: "unknown-field" });
      continue;
    }
    const at = pointer + field.pointer;
    if (Object.hasOwn(result, field.name)) walk.faults.push({ pointer: at, reason: "two-spellings" });
    if (value === null) walk.faults.push({ pointer: at, reason: "null" });
    result[field.name] = canonicalValue(value, memberOf(lexemes, key), field, at, walk);
    if (field.money) noteAmounts(result, field.name, memberOf(lexemes, key), at, walk);
  }
  return result;
}

function canonicalValue(
  value: JsonValue,
  lexemes: unknown,
  field: PlannedField,
  pointer: string,
  walk: Walk,
): unknown {
  const plan = field.plan();
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    if (plan === undefined) return [...items];
    return items.map((item, index) =>
      isObject(item)
        ? canonicalObject(item, memberOf(lexemes, index), plan, memberPointer(pointer, index), walk)
        : item,
    );
  }
  return plan !== undefined && isObject(value) ? canonicalObject(value, lexemes, plan, pointer, walk) : value;
}

function noteAmounts(
  holder: Record<string | number, unknown>,
  key: string | number,
  lexeme: unknown,
  pointer: string,
  walk: Walk,
): void {
  const value = holder[key];
  if (typeof value === "number" && typeof lexeme === "string") {
    walk.amounts.push({ holder, key, pointer, lexeme });
  }
}

function memberOf(tree: unknown, key: string | number): unknown {
  return typeof tree === "object" && tree !== null ? Reflect.get(tree, key) : undefined;
}
