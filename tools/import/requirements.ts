import { newOwner } from "./findings.ts";
import { expand, flatten, type Conversion } from "./flatten.ts";
import { isList, isObject, type Json, type JsonObject } from "./json.ts";
import { merge, type Merged } from "./merge.ts";
import type { Condition } from "./shape.ts";
import type { Site } from "./sources.ts";

/** Members that are required where another one has one of some values: `requiredWhen` of the spec language. */
export interface Requirement {
  readonly names: readonly string[];
  readonly when: Condition;
}

/** The `if` and `then` that `requiredWhen` can say, by the place of the `if`. */
export function requirementsOf(merged: Merged, conversion: Conversion): ReadonlyMap<Site, Requirement> {
  const found = new Map<Site, Requirement>();
  const isPlainObject = merged.types?.size === 1 && merged.types.has("object");
  if (!isPlainObject || merged.values !== undefined) return found;
  const taken = new Set<string>();
  for (const { keyword, site } of merged.others) {
    if (keyword !== "if") continue;
    const beside = (name: string): Json | undefined =>
      merged.others.find(
        (other) => other.keyword === name && other.site.uri === site.uri && isBeside(other.site, site),
      )?.site.value;
    const when = conditionOf(site.value, merged, conversion);
    const asked = beside("else") === undefined ? requiredOnly(beside("then")) : undefined;
    const names = asked?.filter((name) => !merged.required.has(name));
    if (when === undefined || names === undefined || names.includes(when.field)) continue;
    // A member is required on one condition alone.
    if (!names.every((name) => merged.properties.has(name) && !taken.has(name))) continue;
    for (const name of names) taken.add(name);
    found.set(site, { names, when });
  }
  return found;
}

function isBeside(one: Site, other: Site): boolean {
  return folderOf(one) === folderOf(other);
}

function folderOf({ pointer }: Site): string {
  return pointer.slice(0, pointer.lastIndexOf("/"));
}

/** The one member that the condition is about, with the values that it asks for. */
function conditionOf(value: Json, merged: Merged, conversion: Conversion): Condition | undefined {
  if (!isObject(value) || !hasOnly(value, ["properties", "required", "type"])) return undefined;
  if ((value.type ?? "object") !== "object" || !isObject(value.properties)) return undefined;
  const [entry, ...others] = Object.entries(value.properties);
  if (entry === undefined || others.length > 0) return undefined;
  const [field, of] = entry;
  // Where the member is absent, nothing is asked for.
  const needed = value.required === undefined ? [] : namesIn(value.required);
  if (needed?.every((name) => name === field) !== true) return undefined;
  if (needed.length === 0 && !merged.required.has(field)) return undefined;
  if (!isObject(of) || !hasOnly(of, ["const", "enum", "type"])) return undefined;
  const values = of.const === undefined ? of.enum : [of.const];
  if (!isList(values)) return undefined;
  const is = values.filter((each) => typeof each === "string" || typeof each === "boolean");
  const sites = merged.properties.get(field) ?? [];
  return is.length > 0 && is.length === values.length && mayBe(is, sites, conversion)
    ? { field, is }
    : undefined;
}

/** Whether the values are ones that a member of texts, of these texts or of true and false has. */
function mayBe(
  values: readonly (string | boolean)[],
  sites: readonly Site[],
  conversion: Conversion,
): boolean {
  const owner = newOwner();
  const { refs, parts } = flatten(sites, conversion, owner);
  const expanded = refs.flatMap((entry) => expand(entry, conversion, owner) ?? []);
  const member = merge([...expanded, ...parts], owner);
  if (member.unions.length > 0 || owner.findings.length > 0) return false;
  if (member.values !== undefined) {
    const known = member.values.filter((value) => typeof value === "string");
    return (
      known.length === member.values.length && values.every((value) => known.some((each) => each === value))
    );
  }
  const [type, more] = [...(member.types ?? [])];
  const isText = type === "string" && member.patterns.length + member.formats.length === 0;
  if (more !== undefined || !(isText || type === "boolean")) return false;
  return values.every((value) => typeof value === type);
}

function requiredOnly(value: Json | undefined): readonly string[] | undefined {
  if (value === undefined || !isObject(value) || !hasOnly(value, ["required", "type"])) return undefined;
  return (value.type ?? "object") === "object" ? namesIn(value.required ?? null) : undefined;
}

function namesIn(value: Json): readonly string[] | undefined {
  if (!isList(value)) return undefined;
  const names = value.filter((name) => typeof name === "string");
  return names.length === value.length ? names : undefined;
}

function hasOnly(value: JsonObject, keywords: readonly string[]): boolean {
  return Object.keys(value).every((keyword) => keywords.includes(keyword));
}
