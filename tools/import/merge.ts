import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import { type Owner, refuse } from "./findings.ts";
import { commonTypes, isJsonType, type JsonType } from "./json-types.ts";
import { canonicalText } from "../../conformance/values/index.ts";
import { isList, isObject, type Json, type JsonObject } from "./json.ts";
import { inside, keywordsOf, type Site } from "./sources.ts";

/** The parts of a conjunction as one schema. */
export interface Merged {
  readonly parts: readonly Site[];
  readonly types?: ReadonlySet<JsonType>;
  /** The values that `const` and `enum` allow. */
  readonly values?: readonly Json[];
  /** Numbers and flags whose tightest counts. */
  readonly limits: Readonly<Record<string, number | boolean>>;
  readonly patterns: readonly string[];
  readonly formats: readonly string[];
  readonly properties: ReadonlyMap<string, readonly Site[]>;
  readonly required: ReadonlySet<string>;
  /** For each part with `additionalProperties: false`, the names that it allows. */
  readonly allowed: readonly ReadonlySet<string>[];
  readonly unions: readonly Union[];
  /** Keywords that are read where their type is built, or that the language has no word for. */
  readonly others: readonly { readonly keyword: string; readonly site: Site }[];
}

export interface Union {
  readonly part: Site;
  readonly keyword: "anyOf" | "oneOf";
  readonly branches: readonly Site[];
}

const lowest = new Set(["minimum", "exclusiveMinimum", "minLength", "minItems"]);
const highest = new Set(["maximum", "exclusiveMaximum", "maxLength", "maxItems"]);

type Draft = {
  types: ReadonlySet<JsonType> | undefined;
  values: readonly Json[] | undefined;
  limits: Record<string, number | boolean>;
  patterns: string[];
  formats: string[];
  properties: Map<string, Site[]>;
  required: Set<string>;
  allowed: Set<string>[];
  unions: Union[];
  others: { keyword: string; site: Site }[];
};

/** Merges schemas; malformed ones are refused. */
export function merge(parts: readonly Site[], owner: Owner): Merged {
  const draft: Draft = {
    types: undefined,
    values: undefined,
    limits: {},
    patterns: [],
    formats: [],
    properties: new Map(),
    required: new Set(),
    allowed: [],
    unions: [],
    others: [],
  };
  for (const part of parts) {
    for (const [keyword, value] of Object.entries(withNumericBounds(keywordsOf(part)))) {
      const site = { ...inside(part, keyword), value };
      if (!take(draft, keyword, site, part))
        refuse(site, `\`${keyword}\` has a value that JSON Schema does not allow`, owner);
    }
  }
  const { types, values, ...rest } = draft;
  return { parts, ...rest, ...omitUndefined({ types, values }) };
}

/** Draft-04 has a flag that makes `minimum` or `maximum` exclusive; later drafts have the bound itself. */
function withNumericBounds(keywords: JsonObject): JsonObject {
  let numeric = keywords;
  for (const [flag, bound] of exclusiveBounds) {
    const { [flag]: isExclusive, [bound]: value, ...others } = numeric;
    if (typeof isExclusive !== "boolean") continue;
    numeric = value === undefined ? others : { ...others, [isExclusive ? flag : bound]: value };
  }
  return numeric;
}

const exclusiveBounds = [
  ["exclusiveMinimum", "minimum"],
  ["exclusiveMaximum", "maximum"],
] as const;

/** Whether the value of the keyword is well-formed. */
function take(draft: Draft, keyword: string, site: Site, part: Site): boolean {
  const { value } = site;
  switch (keyword) {
    case "type": {
      const types = (isList(value) ? value : [value]).filter(isJsonType);
      if (types.length !== (isList(value) ? value.length : 1)) return false;
      draft.types = commonTypes(draft.types, new Set(types));
      return true;
    }
    case "const":
      draft.values = common(draft.values, [value]);
      return true;
    case "enum":
      if (!isList(value) || value.length === 0) return false;
      draft.values = common(draft.values, value);
      return true;
    case "pattern":
    case "format":
      return (
        typeof value === "string" && pushNew(keyword === "pattern" ? draft.patterns : draft.formats, value)
      );
    case "required":
      if (!isList(value) || !value.every((name) => typeof name === "string")) return false;
      for (const name of value) draft.required.add(name);
      return true;
    case "properties":
      return takeProperties(draft, site);
    case "anyOf":
    case "oneOf":
      if (!isList(value) || value.length === 0) return false;
      draft.unions.push({ part, keyword, branches: value.map((_, index) => inside(site, index)) });
      return true;
    default:
      return takeLimit(draft, keyword, site, part);
  }
}

function takeProperties(draft: Draft, site: Site): boolean {
  if (!isObject(site.value)) return false;
  for (const name of Object.keys(site.value)) {
    draft.properties.set(name, [...(draft.properties.get(name) ?? []), inside(site, name)]);
  }
  return true;
}

function takeLimit(draft: Draft, keyword: string, site: Site, part: Site): boolean {
  const { value } = site;
  if (keyword === "additionalProperties") {
    const { properties, patternProperties } = keywordsOf(part);
    if (value === true || isEmptySchema(value)) return true;
    if (value !== false || patternProperties !== undefined) draft.others.push({ keyword, site });
    if (value === false) draft.allowed.push(new Set(isObject(properties) ? Object.keys(properties) : []));
    return true;
  }
  if (keyword === "uniqueItems") {
    if (typeof value !== "boolean") return false;
    if (value) draft.limits[keyword] = true;
    return true;
  }
  if (lowest.has(keyword) || highest.has(keyword)) {
    if (typeof value !== "number") return false;
    const known = draft.limits[keyword];
    const pick = lowest.has(keyword) ? Math.max : Math.min;
    draft.limits[keyword] = typeof known === "number" ? pick(known, value) : value;
    return true;
  }
  draft.others.push({ keyword, site });
  return true;
}

function isEmptySchema(value: Json): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function common(known: readonly Json[] | undefined, values: readonly Json[]): readonly Json[] {
  if (known === undefined) return values;
  const texts = new Set(values.map(canonicalText));
  return known.filter((value) => texts.has(canonicalText(value)));
}

function pushNew(list: string[], text: string): true {
  if (!list.includes(text)) list.push(text);
  return true;
}
