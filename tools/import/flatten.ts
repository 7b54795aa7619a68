import { refuse, type Owner } from "./findings.ts";
import { isObject, type Json, type JsonObject, memberOf } from "./json.ts";
import { inside, keywordsOf, shown, type Site, type Sources } from "./sources.ts";
import type { TypeEntry, TypeTable } from "./type-table.ts";

/** The state that the conversion of schemas shares. */
export interface Conversion {
  readonly sources: Sources;
  readonly types: TypeTable;
  readonly lossy: boolean;
  /** Names of the types that take more than the document says, where that is known. */
  readonly weakened: ReadonlySet<string>;
  /** How many schemas may still be converted: a document that multiplies itself ends here. */
  budget: number;
  /** How many schemas, each within the one before, are being converted. */
  depth: number;
}

/** Schemas that all hold: named types, and parts without `$ref` and `allOf`. */
export interface Conjunction {
  readonly refs: readonly TypeEntry[];
  readonly parts: readonly Site[];
}

const depthMax = 64;

/** Keywords about the meaning of a value, not about which values fit; unknown keywords too. */
const assertions: ReadonlySet<string> = new Set(
  `type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern format
  items prefixItems additionalItems maxItems minItems uniqueItems contains minContains maxContains maxProperties
  minProperties required properties patternProperties additionalProperties propertyNames dependencies
  dependentRequired dependentSchemas unevaluatedProperties unevaluatedItems if then else anyOf oneOf not
  $dynamicRef $recursiveRef`.split(/\s+/),
);

/** Siblings of `$ref` count as parts of an `allOf`, as in JSON Schema since 2019-09. */
export function flatten(sites: readonly Site[], conversion: Conversion, owner: Owner): Conjunction {
  const refs: TypeEntry[] = [];
  const parts: Site[] = [];
  const add = (site: Site, depth: number): void => {
    if (site.value === true) return;
    if (depth > depthMax) return refuse(site, `it is nested more than ${depthMax} deep`, owner);
    if (site.value === false) {
      parts.push(site);
      return;
    }
    if (!isObject(site.value)) return refuse(site, "a schema is an object, true or false", owner);
    const { $ref, allOf, ...own } = keywordsOf(site);
    if ($ref !== undefined) {
      const entry = typeOf($ref, site, conversion, owner);
      if (entry !== undefined && !refs.includes(entry)) refs.push(entry);
    }
    if (Array.isArray(allOf)) allOf.forEach((_, index) => add(inside(site, "allOf", index), depth + 1));
    else if (allOf !== undefined) refuse(inside(site, "allOf"), "`allOf` is a list", owner);
    if (hasAssertions(own))
      parts.push({ ...site, without: new Set([...(site.without ?? []), "$ref", "allOf"]) });
  };
  for (const site of sites) add(site, 0);
  return { refs, parts };
}

export function hasAssertions(keywords: JsonObject): boolean {
  return Object.keys(keywords).some((keyword) => assertions.has(keyword));
}

/** The keywords of a schema that say which values fit. */
export function assertionsOf(site: Site): JsonObject {
  return Object.fromEntries(Object.entries(keywordsOf(site)).filter(([keyword]) => assertions.has(keyword)));
}

/** The parts of a named type, so that they can be merged with others; undefined where it includes itself. */
export function expand(
  entry: TypeEntry,
  conversion: Conversion,
  owner: Owner,
  within: readonly TypeEntry[] = [],
): readonly Site[] | undefined {
  if (within.includes(entry) || within.length > depthMax) return undefined;
  const { refs, parts } = flatten([entry.site], conversion, owner);
  const inner = refs.map((ref) => expand(ref, conversion, owner, [...within, entry]));
  if (inner.includes(undefined)) return undefined;
  return [...inner.flatMap((sites) => sites ?? []), ...parts];
}

function typeOf($ref: Json, site: Site, { sources, types }: Conversion, owner: Owner): TypeEntry | undefined {
  const place = inside(site, "$ref");
  if (typeof $ref !== "string") {
    refuse(place, "`$ref` is text", owner);
    return undefined;
  }
  const seen = new Set<string>();
  let target = sources.follow($ref, site);
  while (!("problem" in target)) {
    const key = `${target.uri}#${target.pointer}`;
    if (seen.has(key)) {
      refuse(place, `\`${shown($ref)}\` refers only to itself`, owner);
      return undefined;
    }
    seen.add(key);
    const next = onlyReference(target);
    // A component that is nothing but a reference to one of another document is that one.
    if (next === undefined) return types.at(target);
    target = sources.follow(next, target);
  }
  refuse(place, target.problem, owner);
  return undefined;
}

function onlyReference({ value }: Site): string | undefined {
  if (!isObject(value) || typeof value.$ref !== "string") return undefined;
  return Object.keys(value).length === 1 ? value.$ref : undefined;
}

/** Follows the `$ref` of a method, a content descriptor, an error or an example. */
export function followed(site: Site, { sources }: Conversion, owner: Owner | undefined): Site {
  let at = site;
  for (let steps = 0; steps < 32; steps += 1) {
    const reference = memberOf(at.value, "$ref");
    if (typeof reference !== "string") return at;
    const target = sources.follow(reference, at);
    if ("problem" in target) {
      if (owner !== undefined) refuse(at, target.problem, owner);
      return { ...at, value: {} };
    }
    at = target;
  }
  if (owner !== undefined) refuse(site, "the `$ref` refers only to itself", owner);
  return { ...site, value: {} };
}

/** Some members of an object, those that it has. */
export function pick(value: Json, names: readonly string[]): Record<string, Json> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const member = memberOf(value, name);
      return member === undefined ? [] : [[name, member] as const];
    }),
  );
}
