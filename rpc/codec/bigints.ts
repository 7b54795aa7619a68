import type { BigintPlaces, JsonObject, JsonValue } from "../../runtime/contract/index.ts";

/** JSON in which every integer is a `bigint` with all the digits that were sent. The bytes are JSON that was parsed before. */
export function exactIntegers(bytes: Buffer): JsonObject | readonly JsonValue[] {
  return JSON.parse(bytes.toString("utf8"), exactInteger);
}

/**
 * Replaces integers of a validated value by a `bigint`, where they are to be one. `exact` is the same value with the digits
 * that were sent; an integer that was sent as a fraction or with an exponent is what a number holds of it. Gives the JSON
 * Pointer of a number elsewhere that is not what was sent.
 */
export function readBigints(
  value: object,
  exact: object,
  { fields = {}, items }: BigintPlaces = {},
): string | undefined {
  for (const name of Object.keys(value)) {
    const place = (Object.hasOwn(fields, name) ? fields[name] : items)?.();
    const [member, digits]: readonly unknown[] = [Reflect.get(value, name), Reflect.get(exact, name)];
    const pointer = () => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (typeof member === "number") {
      // Where a fraction may be, too, it stays one.
      if (place?.here === true && Number.isInteger(member))
        setMember(value, name, typeof digits === "bigint" ? digits : BigInt(member));
      else if (typeof digits === "bigint" && !isExact(member, digits)) return pointer();
    } else if (member instanceof Object && digits instanceof Object) {
      const inner = readBigints(member, digits, place);
      if (inner !== undefined) return pointer() + inner;
    }
  }
  return undefined;
}

/** As a member, whatever its name. */
function setMember(value: object, name: string, member: bigint): void {
  const property = { writable: true, enumerable: true, configurable: true };
  Object.defineProperty(value, name, { ...property, value: member });
}

/** Whether the number is the integer, or how JavaScript prints it: `2 ** 63` is 9223372036854776000 there. */
function isExact(number: number, integer: bigint): boolean {
  return Number.isSafeInteger(number) || String(number) === String(integer) || BigInt(number) === integer;
}

function exactInteger(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source ?? "";
  return typeof value === "number" && /^-?\d+$/.test(source) ? BigInt(source) : value;
}
