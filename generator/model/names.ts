import { compareNames } from "../spec/index.ts";
import { reservedFiles, reservedTypes, reservedValues } from "./reserved-names.ts";
import type { Names } from "./service-model.ts";
import { camelCase, hashOf, kebabCase, pascalCase } from "./words.ts";

/** What a group of names is for; it is appended where a plain name is taken or reserved. */
export type NameKind = "Method" | "Type" | "Service" | "Event" | "Error" | "Form" | "Value";

/** Names already given: identifiers exactly, files ignoring case. */
export interface TakenNames {
  readonly types: Set<string>;
  readonly values: Set<string>;
  readonly files: Set<string>;
}

export function noNames(): TakenNames {
  return { types: new Set(), values: new Set(), files: new Set() };
}

/** The identifiers of an object with generated companions, reserved so that nothing else gets them. */
export function reserve(taken: TakenNames, names: Names, companions: readonly string[]): void {
  for (const companion of companions) {
    taken.types.add(names.type + companion);
    taken.values.add(names.value + companion);
  }
}

/**
 * Names for a group of things that are alike, avoiding what is taken and adding to it. What a thing is called depends
 * on the set of names alone, never on their order: a name that is an identifier as it stands keeps it; of the others,
 * those that would be equal all get a suffix made from their own name.
 */
export function assignNames(
  kind: NameKind,
  wanted: ReadonlyMap<string, string>,
  taken: TakenNames,
): ReadonlyMap<string, Names> {
  const assigned = new Map<string, Names>();
  const give = (key: string, names: Names): void => {
    assigned.set(key, names);
    taken.types.add(names.type);
    taken.values.add(names.value);
    taken.files.add(names.file);
  };
  const sorted = [...wanted].toSorted(([a], [b]) => compareNames(a, b));
  const plain = sorted.map(([key, name]) => ({ key, names: plainNames(kind, name), isExact: false }));
  for (const [at, item] of plain.entries()) item.isExact = item.names.type === sorted[at]?.[1];
  for (const { key, names, isExact } of plain) if (isExact && isFree(taken, names)) give(key, names);
  const rest = plain.filter(({ key }) => !assigned.has(key));
  const clashing = clashesAmong(rest.map(({ names }) => names));
  for (const { key, names } of rest) {
    if (!clashing.has(names) && isFree(taken, names)) give(key, names);
  }
  for (const { key, names } of rest) {
    if (assigned.has(key)) continue;
    const kinded = clashing.has(names) ? names : suffixed(names, kind, "");
    give(key, isFree(taken, kinded) && kinded !== names ? kinded : suffixed(names, hashOf(key), "_"));
  }
  return assigned;
}

function plainNames(kind: NameKind, name: string): Names {
  const type = isPascalCase(name) && kind === "Type" ? name : pascalCase(name);
  const value = camelCase(name);
  const file = kebabCase(name);
  return {
    type: reservedTypes.has(type) || reservedValues.has(type) ? `${type}${kind}` : type,
    value: reservedValues.has(value) ? `${value}${kind}` : value,
    file: reservedFiles.has(file) ? `${file}-${kind.toLowerCase()}` : file,
  };
}

/** A type's own spelling is kept where it is an identifier with a capital: `DOB`, `DDAAccount`. */
function isPascalCase(name: string): boolean {
  return /^\p{Lu}[\p{L}\p{N}]{0,63}$/u.test(name) && name.normalize("NFC") === name;
}

function suffixed(names: Names, suffix: string, separator: string): Names {
  const tail = suffix.toLowerCase();
  return {
    type: `${names.type}${separator}${suffix}`,
    value: `${names.value}${separator}${suffix}`,
    file: `${names.file.slice(0, 63 - tail.length)}-${tail}`,
  };
}

function isFree(taken: TakenNames, names: Names): boolean {
  return !taken.types.has(names.type) && !taken.values.has(names.value) && !taken.files.has(names.file);
}

function clashesAmong(names: readonly Names[]): ReadonlySet<Names> {
  const byIdentifier = new Map<string, Names[]>();
  for (const item of names) {
    for (const key of [`type ${item.type}`, `value ${item.value}`, `file ${item.file}`]) {
      const same = byIdentifier.get(key);
      if (same === undefined) byIdentifier.set(key, [item]);
      else same.push(item);
    }
  }
  return new Set([...byIdentifier.values()].filter((same) => same.length > 1).flat());
}
