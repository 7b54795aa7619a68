import { isList, isObject, type Json } from "./json.ts";
import { inside, keywordsOf, type Site, type Sources } from "./sources.ts";

export const jsonTypes = ["string", "integer", "number", "boolean", "object", "array", "null"] as const;

export type JsonType = (typeof jsonTypes)[number];

export function isJsonType(value: Json | undefined): value is JsonType {
  return jsonTypes.some((type) => type === value);
}

export function jsonTypeOf(value: Json): JsonType {
  if (value === null) return "null";
  if (isList(value)) return "array";
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "boolean";
    case "number":
      return Number.isInteger(value) ? "integer" : "number";
    default:
      return "object";
  }
}

/** The types in both sets: an integer is a number. */
export function commonTypes(
  a: ReadonlySet<JsonType> | undefined,
  b: ReadonlySet<JsonType> | undefined,
): ReadonlySet<JsonType> | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const common = [...a].filter((type) => includesType(b, type));
  const narrower = [...b].filter((type) => type === "integer" && !a.has("integer") && a.has("number"));
  return new Set([...common, ...narrower]);
}

export function includesType(types: ReadonlySet<JsonType>, type: JsonType): boolean {
  return types.has(type) || (type === "integer" && types.has("number"));
}

/** The types that a schema allows, as far as a look at it tells; undefined where it may be any. */
export function impliedTypes(site: Site, sources: Sources, depth = 0): ReadonlySet<JsonType> | undefined {
  if (depth > 16 || !isObject(site.value)) return undefined;
  const { type, $ref, allOf, anyOf, oneOf, const: constant, enum: values } = keywordsOf(site);
  const next = (at: Site) => impliedTypes(at, sources, depth + 1);
  let types: ReadonlySet<JsonType> | undefined;
  if (type !== undefined) types = new Set((isList(type) ? type : [type]).filter(isJsonType));
  if (constant !== undefined) types = commonTypes(types, new Set([jsonTypeOf(constant)]));
  if (isList(values)) types = commonTypes(types, new Set(values.map(jsonTypeOf)));
  if (typeof $ref === "string") {
    const target = sources.follow($ref, site);
    if (!("problem" in target)) types = commonTypes(types, next(target));
  }
  if (isList(allOf))
    allOf.forEach((_, index) => (types = commonTypes(types, next(inside(site, "allOf", index)))));
  for (const [keyword, list] of [
    ["anyOf", anyOf],
    ["oneOf", oneOf],
  ] as const) {
    if (!isList(list)) continue;
    const branches = list.map((_, index) => next(inside(site, keyword, index)));
    if (branches.includes(undefined)) continue;
    types = commonTypes(types, new Set(branches.flatMap((branch) => [...(branch ?? [])])));
  }
  return types;
}
