import { omitUndefined, type JsonObject, type JsonValue } from "../../contract/index.ts";

/** Whether a JSON value is an object. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const ascii = /^[\x20-\x7e]*$/;

/** A name as it is compared: ASCII letters ignore case (D-11); no other letter is folded into them. */
export function foldName(name: string): string {
  return ascii.test(name) ? name.toLowerCase() : name;
}

/** The named members of an object, whatever their case. */
export interface Members<Name extends string> {
  readonly values: Readonly<Partial<Record<Name, JsonValue>>>;
  /** A name of which the object has two spellings. */
  readonly doubled?: Name;
  /** A member it has besides. */
  readonly unknown?: string;
}

/** Picks members by lower-case keys of `names`, which give the name each is filed under. */
export function pickMembers<Name extends string>(
  object: JsonObject,
  names: ReadonlyMap<string, Name>,
): Members<Name> {
  const values: Partial<Record<Name, JsonValue>> = {};
  let doubled: Name | undefined;
  let unknown: string | undefined;
  for (const key of Object.keys(object)) {
    const name = names.get(key) ?? names.get(foldName(key));
    const value = object[key];
    if (name === undefined || value === undefined) unknown ??= key;
    else if (values[name] === undefined) values[name] = value;
    else doubled ??= name;
  }
  return { values, ...omitUndefined({ doubled, unknown }) };
}

/** The names, by their lower-case form. */
export function memberNames<const Name extends string>(...names: readonly Name[]): ReadonlyMap<string, Name> {
  return new Map(names.map((name) => [name.toLowerCase(), name]));
}
