/** The way from a value to a part of it: property names and array indexes. */
export type JsonPath = readonly (string | number)[];

/** Stands for no value at all: putting it somewhere removes the property. */
export const absent = Symbol("absent");

/** A copy of a value with one part replaced, added or, by `absent`, removed. */
export function replacedAt(value: unknown, path: JsonPath, part: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return part;
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? replacedAt(item, rest, part) : item));
  const entries = new Map<string | number, unknown>(Object.entries(value ?? {}));
  const replacement = rest.length === 0 ? part : replacedAt(entries.get(step), rest, part);
  if (replacement === absent) entries.delete(step);
  else entries.set(step, replacement);
  return Object.fromEntries(entries);
}

/** The part of a value at a path; `absent` if there is no such value. */
export function partAt(value: unknown, path: JsonPath): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const entry = Object.entries(value ?? {}).find(([name]) => name === String(step));
  return entry === undefined ? absent : partAt(entry[1], rest);
}

/** A path as people read it: `account.legalReps[0].ID`. */
export function pathText(path: JsonPath): string {
  return path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${step}`))
    .join("");
}
