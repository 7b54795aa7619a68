import { sentText } from "../sent-text.ts";
import type { Bigints } from "./method.ts";

/** Replaces integers of a parsed answer by a `bigint` with all the digits that were sent. `holder` has the value as `name`. */
export function readBigints(holder: object, name: string, plan: Bigints): void {
  const value: unknown = Reflect.get(holder, name);
  if (plan.number && typeof value === "number") {
    const text = sentText(holder, name) ?? String(value);
    // As a member, whatever its name: assigning `__proto__` would do something else.
    const property = { writable: true, enumerable: true, configurable: true };
    // An integer may be sent as a fraction or with an exponent: it is what a number holds of it.
    const digits = /^-?\d+$/.test(text) ? text : value;
    if (typeof digits === "string" || Number.isInteger(digits))
      Object.defineProperty(holder, name, { ...property, value: BigInt(digits) });
  }
  if (!(value instanceof Object)) return;
  const { members = {}, items } = caseOf(value, plan);
  for (const member of Object.keys(value)) {
    const inner = (Object.hasOwn(members, member) ? members[member] : items)?.();
    if (inner) readBigints(value, member, inner);
  }
}

function caseOf(value: object, plan: Bigints): Bigints {
  const { tag, cases = {} } = plan;
  if (tag === undefined) return plan;
  const named = String(Reflect.get(value, tag));
  return (Object.hasOwn(cases, named) ? cases[named]?.() : undefined) ?? {};
}
