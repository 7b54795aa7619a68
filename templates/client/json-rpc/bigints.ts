import { sentText } from "../sent-text.ts";
import type { Bigints } from "./method.ts";

/** Replaces integers of a parsed answer by a `bigint` with all the digits that were sent. `holder` has the value as `name`. */
export function readBigints(holder: object, name: string, { here, fields = {}, items }: Bigints): void {
  const value: unknown = Reflect.get(holder, name);
  if (here && typeof value === "number") {
    const text = sentText(holder, name) ?? String(value);
    // As a member, whatever its name: assigning `__proto__` would do something else.
    const property = { writable: true, enumerable: true, configurable: true };
    // An integer may be sent as a fraction or with an exponent: it is what a number holds of it.
    const digits = /^-?\d+$/.test(text) ? text : value;
    if (typeof digits === "string" || Number.isInteger(digits))
      Object.defineProperty(holder, name, { ...property, value: BigInt(digits) });
  }
  if (!(value instanceof Object)) return;
  for (const member of Object.keys(value)) {
    const place = (Object.hasOwn(fields, member) ? fields[member] : items)?.();
    if (place) readBigints(value, member, place);
  }
}
