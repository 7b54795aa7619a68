import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import { matches } from "../../generator/language/structure/schema.ts";
import { cannotSay, type Dropped } from "./findings.ts";
import { isObject, isList, memberOf } from "./json.ts";
import type { Merged } from "./merge.ts";
import { withDropped } from "./remarks.ts";
import { anchoredPattern, type Place, numbers } from "./scalars.ts";
import { anything, scalar, type Field, type ObjectShape, type Shape } from "./shape.ts";
import type { Requirement } from "./requirements.ts";
import { inside, type Site } from "./sources.ts";
import { patternProblem } from "../../generator/language/patterns/patterns.ts";

/** Converts the schemas that all hold for one part. */
export type Convert = (sites: readonly Site[], name: string) => Shape;

export interface Groups {
  readonly atLeastOneOf: readonly (readonly string[])[];
  readonly exactlyOneOf: readonly (readonly string[])[];
  readonly requirements: readonly Requirement[];
}

/** An object with named fields, or a map. */
export function objectShape(
  merged: Merged,
  { requirements, ...groups }: Groups,
  place: Place,
  convert: Convert,
): Shape {
  const dropped: Dropped = {};
  const drop = (site: Site, keyword: string, reason: string): void => {
    cannotSay(site, reason, place);
    dropped[keyword] = site.value;
  };
  for (const { keyword, site } of merged.others) {
    if (keyword === "minProperties" || keyword === "maxProperties") {
      if (keyword === "minProperties" && site.value === 0) continue;
      drop(site, keyword, `\`${keyword}\` has no word in the spec language`);
    }
  }
  const hasFields =
    merged.properties.size > 0 ||
    merged.required.size > 0 ||
    groups.atLeastOneOf.length + groups.exactlyOneOf.length > 0;
  const isMapped = merged.others.some(({ keyword }) =>
    ["additionalProperties", "patternProperties", "propertyNames"].includes(keyword),
  );
  if (!hasFields && (isMapped || merged.allowed.length === 0)) {
    return withDropped(mapShape(merged, drop, convert), dropped);
  }
  for (const { keyword, site } of merged.others) {
    if (keyword === "additionalProperties" && site.value !== false) {
      drop(site, keyword, "a type for further members beside named ones has no word in the spec language");
    } else if (keyword === "patternProperties" || keyword === "propertyNames") {
      drop(site, keyword, `\`${keyword}\` beside named members has no word in the spec language`);
    }
  }
  return withDropped({ ...fieldsOf(merged, requirements, place, convert), ...groups }, dropped);
}

function fieldsOf(
  merged: Merged,
  requirements: readonly Requirement[],
  place: Place,
  convert: Convert,
): ObjectShape {
  const isAllowed = (name: string) => merged.allowed.every((names) => names.has(name));
  const fields: Field[] = [];
  for (const [name, sites] of merged.properties) {
    const [site = place.site] = sites;
    if (!isAllowed(name) || (sites.some(({ value }) => value === false) && !merged.required.has(name))) {
      if (isAllowed(name))
        cannotSay(site, `a member that must be absent has no word in the spec language`, place);
      continue;
    }
    if (isLegalName(name)) {
      const requiredWhen = requirements.find(({ names }) => names.includes(name))?.when;
      const optional = !merged.required.has(name);
      fields.push(omitUndefined({ name, optional, shape: convert(sites, name), requiredWhen }));
    } else cannotSay(site, "a member of this name is refused: every reader of requests refuses it", place);
  }
  for (const name of merged.required) {
    if (merged.properties.has(name)) continue;
    if (!isAllowed(name)) cannotSay(place.site, "a required member is not allowed: nothing fits", place);
    else if (isLegalName(name)) fields.push({ name, optional: false, shape: anything });
    else cannotSay(place.site, "a required member has a name that every reader of requests refuses", place);
  }
  const closed = merged.allowed.length > 0;
  return { kind: "object", includes: [], fields, closed, atLeastOneOf: [], exactlyOneOf: [] };
}

function isLegalName(name: string): boolean {
  return isFieldName(name);
}

const fieldName = "^(?!(?:__proto__|constructor|prototype)$)[^\\u0000-\\u001f\\u007f]+$";

export function isFieldName(name: string): boolean {
  return matches(fieldName, name);
}

function mapShape(
  merged: Merged,
  drop: (site: Site, keyword: string, reason: string) => void,
  convert: Convert,
): Shape {
  let values: Site[] = [];
  let keys: Shape | undefined;
  const isClosed = merged.allowed.length > 0;
  for (const { keyword, site } of merged.others) {
    if (keyword === "additionalProperties" && site.value !== false) values.push(site);
    if (keyword === "propertyNames") keys = keyShape(site, drop, convert) ?? keys;
  }
  const byPattern = merged.others.filter(({ keyword }) => keyword === "patternProperties");
  const [only] = byPattern;
  const patterns = only !== undefined && isObject(only.site.value) ? Object.keys(only.site.value) : [];
  const [pattern] = patterns;
  if (
    byPattern.length === 1 &&
    only !== undefined &&
    patterns.length === 1 &&
    pattern !== undefined &&
    isClosed &&
    values.length === 0
  ) {
    const anchored = anchoredPattern(pattern);
    if (patternProblem(anchored) === undefined) {
      keys = scalar("string", { pattern: anchored });
      values = [inside(only.site, pattern)];
    } else drop(only.site, "patternProperties", "the pattern is none that a spec may have");
  } else {
    for (const { site } of byPattern) {
      drop(
        site,
        "patternProperties",
        "`patternProperties` is a map only where it has one pattern and nothing else is allowed",
      );
    }
  }
  const shape: Shape = { kind: "map", values: values.length === 0 ? anything : convert(values, "Value") };
  return keys === undefined ? shape : { ...shape, keys };
}

/** A type of texts, by its name or in place. */
function keyShape(
  site: Site,
  drop: (site: Site, keyword: string, reason: string) => void,
  convert: Convert,
): Shape | undefined {
  const { value } = site;
  if (value === true) return undefined;
  // Names are texts, whether or not the schema says so.
  const texts = isObject(value) && !("$ref" in value) ? { type: "string", ...value } : value;
  const shape = convert([{ ...site, value: texts }], "Key");
  if (shape.kind === "ref" || shape.kind === "enum") return shape;
  if (shape.kind === "scalar" && shape.type === "string")
    return Object.keys(shape.constraints).length === 0 ? undefined : shape;
  drop(site, "propertyNames", "`propertyNames` is taken where it is a type of texts");
  return undefined;
}

/** A list, or a tuple where the document fixes every item. */
export function arrayShape(merged: Merged, place: Place, convert: Convert): Shape {
  const dropped: Dropped = {};
  const find = (name: string) =>
    merged.others.filter(({ keyword }) => keyword === name).map(({ site }) => site);
  for (const keyword of ["contains", "minContains", "maxContains"]) {
    for (const site of find(keyword)) {
      cannotSay(site, `\`${keyword}\` has no word in the spec language`, place);
      dropped[keyword] = site.value;
    }
  }
  const items = find("items").filter(({ value }) => value !== true);
  const positions = [...find("prefixItems"), ...items.filter(({ value }) => isList(value))];
  const [fixed] = positions;
  if (fixed !== undefined) return withDropped(tupleShape(fixed, merged, place, convert, dropped), dropped);
  const constraints = numbers(merged.limits, {
    minItems: "minItems",
    maxItems: "maxItems",
    uniqueItems: "uniqueItems",
  });
  const isEmpty = items.some(({ value }) => value === false);
  const item = items.length === 0 || isEmpty ? anything : convert(items, "Item");
  return withDropped(
    { kind: "array", items: item, constraints: isEmpty ? { ...constraints, maxItems: 0 } : constraints },
    dropped,
  );
}

/** Draft-07 has `items: [..]` with `additionalItems: false`, 2020-12 `prefixItems` with `items: false`. */
function tupleShape(fixed: Site, merged: Merged, place: Place, convert: Convert, dropped: Dropped): Shape {
  const count = isList(fixed.value) ? fixed.value.length : 0;
  const end = merged.others.find(
    ({ keyword, site }) => keyword === "additionalItems" || (keyword === "items" && !isList(site.value)),
  );
  const { minItems, maxItems } = merged.limits;
  const isClosed = end?.site.value === false || maxItems === count;
  const isWhole = isClosed && minItems === count && merged.parts.length === 1;
  const items = Array.from({ length: count }, (_, index) =>
    convert([inside(fixed, index)], `Item${index + 1}`),
  );
  if (isWhole && merged.limits.uniqueItems === undefined) return { kind: "tuple", items };
  cannotSay(
    fixed,
    "a list of fixed items is taken only where their number is fixed, too (`minItems`, and nothing behind them)",
    place,
  );
  dropped.items = memberOf(place.site.value, "prefixItems") ?? fixed.value;
  return {
    kind: "array",
    items: anything,
    constraints: numbers(merged.limits, { minItems: "minItems", maxItems: "maxItems" }),
  };
}
