import { reservedFiles, reservedTypes, reservedValues } from "./reserved-names.ts";
import { camelCase, hashOf, kebabCase, pascalCase } from "./case-conversion.ts";

/** The identifiers that emitters use for one item: legal in TypeScript, unique in the model. */
export interface Names {
  /** PascalCase, for types: `GetAccount`. */
  readonly type: string;
  /** camelCase, for values and functions: `getAccount`. */
  readonly value: string;
  /** kebab-case, for files and folders: `get-account`. Unique ignoring case; at most 64 characters. */
  readonly file: string;
}

/** The kind of a group of names; it is appended where a plain name is taken or reserved. */
export type NameKind = "Method" | "Type" | "Service" | "Event" | "Error" | "Form" | "Value";

/** Names already given. */
export interface TakenNames {
  readonly type: Set<string>;
  readonly value: Set<string>;
  readonly file: Set<string>;
}

type Part = keyof TakenNames;

export function noNames(): TakenNames {
  return { type: new Set(), value: new Set(), file: new Set() };
}

/** Takes the identifiers of what is generated beside a item, so that nothing else gets them. */
export function reserve(taken: TakenNames, names: Names, companions: readonly string[]): void {
  for (const companion of companions) {
    taken.type.add(names.type + companion);
    taken.value.add(names.value + companion);
  }
}

/**
 * Names for a group of items that are alike, by key; avoids what is taken and adds to it. What a item is called
 * depends on the set of names alone, never on their order: of several that would be called the same, one whose name
 * is that identifier as it stands keeps it, and all others get a suffix made from their own key.
 */
export function assignNames(
  kind: NameKind,
  wanted: ReadonlyMap<string, string>,
  taken: TakenNames,
): ReadonlyMap<string, Names> {
  const items = [...wanted].map(([key, name]) => ({ key, name, plain: plainNames(kind, name) }));
  const type = assignPart("type", kind, items, taken);
  const value = assignPart("value", kind, items, taken);
  const file = assignPart("file", kind, items, taken);
  const namesOf = (key: string): Names => ({
    type: nameIn(type, key),
    value: nameIn(value, key),
    file: nameIn(file, key),
  });
  return new Map(items.map(({ key }) => [key, namesOf(key)]));
}

interface NamedItem {
  readonly key: string;
  readonly name: string;
  readonly plain: Names;
}

function assignPart(
  part: Part,
  kind: NameKind,
  items: readonly NamedItem[],
  taken: TakenNames,
): ReadonlyMap<string, string> {
  const assigned = new Map<string, string>();
  const assign = (item: NamedItem, name: string): void => {
    assigned.set(item.key, name);
    taken[part].add(name);
  };
  const isFree = (name: string): boolean => !taken[part].has(name) && !isReserved(part, name);
  const groups = Map.groupBy(items, (item) => item.plain[part]);
  const alone: NamedItem[] = [];
  const conflicting: NamedItem[] = [];
  for (const [name, group] of groups) {
    const owner = ownerOf(group);
    if (owner !== undefined && isFree(name)) assign(owner, name);
    else if (owner !== undefined && group.length === 1) alone.push(owner);
    else if (owner !== undefined) conflicting.push(owner);
    conflicting.push(...group.filter((item) => item !== owner));
  }
  for (const item of alone) {
    const name = suffixed(part, item.plain[part], kind);
    if (isFree(name)) assign(item, name);
    else conflicting.push(item);
  }
  for (const item of conflicting) assign(item, suffixed(part, item.plain[part], hashOf(item.key), "_"));
  return assigned;
}

/** The one that needs no suffix: alone, or the only one whose name is its identifier as it stands. */
function ownerOf(group: readonly NamedItem[]): NamedItem | undefined {
  const [only] = group;
  if (group.length === 1) return only;
  const exact = group.filter((item) => item.plain.type === item.name);
  return exact.length === 1 ? exact[0] : undefined;
}

function plainNames(kind: NameKind, name: string): Names {
  const isKept = kind === "Type" && isPascalCase(name);
  return { type: isKept ? name : pascalCase(name), value: camelCase(name), file: kebabCase(name) };
}

/** A type's own spelling is kept where it is an identifier with a capital: `DOB`, `DDAAccount`. */
function isPascalCase(name: string): boolean {
  return /^\p{Lu}[\p{L}\p{N}]{0,63}$/u.test(name) && name.length <= 64 && name.normalize("NFC") === name;
}

function isReserved(part: Part, name: string): boolean {
  if (part === "file") return reservedFiles.has(name);
  return reservedValues.has(name) || (part === "type" && reservedTypes.has(name));
}

function suffixed(part: Part, name: string, suffix: string, separator = ""): string {
  if (part !== "file") return `${name}${separator}${suffix}`;
  const tail = suffix.toLowerCase();
  return `${name.slice(0, 63 - tail.length)}-${tail}`;
}

function nameIn(names: ReadonlyMap<string, string>, key: string): string {
  const name = names.get(key);
  if (name === undefined) throw new Error(`no name was given to ${key}`);
  return name;
}
