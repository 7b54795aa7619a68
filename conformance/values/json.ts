/** Whether a JSON value is an object: no array, not null. */
export function isJsonObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether an object has a value at the end of a path of names. */
export function leadsTo(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return false;
  return leadsTo(new Map<string, unknown>(Object.entries(value)).get(name), rest);
}

/** A name as a step of a JSON Pointer (RFC 6901). */
export function escaped(name: string): string {
  return /[~/]/.test(name) ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;
}

/** The same value with properties in name order, so that equal values have equal texts; `-0` is `0`. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const properties = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { properties: properties.map(([name, part]) => [name, sorted(part)]) };
}

/** A member of a JSON object; undefined of anything else. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
