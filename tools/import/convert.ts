import { pascalCase } from "../../generator/model/names.ts";
import { cannotSay, type Dropped, noteAssumption, type Owner, refuse } from "./findings.ts";
import { assertionsOf, type Conversion, expand, flatten, hasAssertions } from "./flatten.ts";
import { impliedTypes, includesType, type JsonType, jsonTypes } from "./json-types.ts";
import { canonicalText } from "../../conformance/values/index.ts";
import { isList, isObject, type Json, type JsonObject, memberOf, pointerTo } from "./json.ts";
import { merge, type Merged, type Union } from "./merge.ts";
import { arrayShape, type Convert, type Groups, objectShape } from "./objects.ts";
import { remarksOfAll, withDropped, withRemarks } from "./remarks.ts";
import { requirementsOf } from "./requirements.ts";
import {
  beyondSafe,
  isBeyondSafe,
  numberShape,
  type Place,
  stringShape,
  typesSpokenOf,
  valuesShape,
} from "./scalars.ts";
import { anything, bare, isNull, nothingButNull, scalar, type Shape, typesIn } from "./shape.ts";
import { keywordsOf, type Site } from "./sources.ts";

/** Keywords that no type of the spec language has, wherever they stand. */
const unsupportedKeywords: ReadonlyMap<string, string> = new Map([
  ["not", "`not` has no word in the spec language: say what a value is"],
  ["if", "`if` has no word in the spec language: write a union, or `requiredWhen`"],
  ["dependencies", "`dependencies` has no word in the spec language: write a union, or `requiredWhen`"],
  ["dependentRequired", "`dependentRequired` has no word in the spec language: write `requiredWhen`"],
  ["dependentSchemas", "`dependentSchemas` has no word in the spec language: write a union"],
  ["unevaluatedProperties", "`unevaluatedProperties` has no word in the spec language: list the members"],
  ["unevaluatedItems", "`unevaluatedItems` has no word in the spec language"],
  ["$dynamicRef", "`$dynamicRef` has no word in the spec language: refer to one schema"],
  ["$recursiveRef", "`$recursiveRef` has no word in the spec language: refer to one schema"],
]);

/**
 * The shape of what fits all of some schemas. A part that cannot be expressed is noted at its owner and becomes
 * `json`.
 */
export function convertSchema(
  sites: readonly Site[],
  name: string,
  owner: Owner,
  conversion: Conversion,
): Shape {
  const [site] = sites;
  if (site === undefined) return anything;
  const shape = coreShape(sites, site, name, owner, conversion);
  if (!isNever(shape))
    return withFittingDefault(withRemarks(shape, remarksOfAll(sites)), site, owner, conversion);
  const reason =
    site.value === false
      ? "`false` takes no value: leave out what has it, or say what a value is"
      : "nothing fits: what is asked for contradicts itself";
  cannotSay(site, reason, { owner, lossy: conversion.lossy });
  return withRemarks(anything, remarksOfAll(sites));
}

/** A default of more digits than are kept is no default: it would stand as a text. */
function withFittingDefault(shape: Shape, site: Site, owner: Owner, { lossy }: Conversion): Shape {
  const { default: preset, ...others } = shape;
  if (!isBeyondSafe(preset)) return shape;
  const at = { ...site, pointer: pointerTo(site.pointer, "default") };
  cannotSay(at, beyondSafe("default"), { owner, lossy });
  return withDropped(others, { default: preset });
}

/** A schema that no value fits: as an alternative it is left out. */
const never: Shape = { kind: "union", alternatives: [], exactlyOne: false };

function isAnything(shape: Shape): boolean {
  return shape.kind === "scalar" && shape.type === "json";
}

function isNever(shape: Shape): boolean {
  return shape.kind === "union" && shape.alternatives.length === 0;
}

function coreShape(
  sites: readonly Site[],
  site: Site,
  name: string,
  owner: Owner,
  conversion: Conversion,
): Shape {
  conversion.budget -= 1;
  if (conversion.budget < 0) {
    // Whatever else is converted from here on is not, either.
    const reason = "the document multiplies its own parts: there are too many";
    if (!owner.findings.some((finding) => finding.reason === reason)) refuse(site, reason, owner);
    return anything;
  }
  conversion.depth += 1;
  try {
    if (conversion.depth <= depthMax) return shapeOfAll(sites, site, name, owner, conversion);
    refuse(site, `it is nested more than ${depthMax} deep, or is an alternative of itself`, owner);
    return anything;
  } finally {
    conversion.depth -= 1;
  }
}

/** Alternatives within one another; each takes a few calls of the stack. */
const depthMax = 256;

function shapeOfAll(
  sites: readonly Site[],
  site: Site,
  name: string,
  owner: Owner,
  conversion: Conversion,
): Shape {
  const { refs, parts } = flatten(sites, conversion, owner);
  const [ref] = refs;
  if (parts.some(({ value }) => value === false)) return never;
  if (ref === undefined && parts.length === 0) return anything;
  if (
    ref !== undefined &&
    refs.length === 1 &&
    parts.every((part) => isImpliedBy(part, ref.site, conversion))
  ) {
    owner.uses.add(ref.name);
    return { kind: "ref", type: ref.name };
  }
  const expanded = refs.map((entry) => expand(entry, conversion, owner));
  if (expanded.includes(undefined)) {
    cannotSay(site, "a type that includes itself has no values", { owner, lossy: conversion.lossy });
    return anything;
  }
  const merged = merge(withoutRepeats([...expanded.flatMap((each) => each ?? []), ...parts]), owner);
  return mergedShape(merged, { owner, lossy: conversion.lossy, site }, name, conversion);
}

/** The same schema twice says it once. */
function withoutRepeats(parts: readonly Site[]): readonly Site[] {
  // Else each level of a nested schema would be written out with all levels below it.
  if (parts.length < 2) return parts;
  const byContent = new Map(parts.map((part) => [`${part.uri} ${canonicalText(assertionsOf(part))}`, part]));
  return [...byContent.values()];
}

/** Whether a part says nothing but a `type` that the other schema has anyway. */
function isImpliedBy(part: Site, other: Site, { sources }: Conversion): boolean {
  const { type, ...rest } = keywordsOf(part);
  if (hasAssertions(rest)) return false;
  const allowed = impliedTypes({ ...part, value: { type: type ?? null } }, sources);
  const implied = impliedTypes(other, sources);
  return (
    allowed !== undefined &&
    implied !== undefined &&
    [...implied].every((each) => includesType(allowed, each))
  );
}

function mergedShape(merged: Merged, place: Place, name: string, conversion: Conversion): Shape {
  const dropped: Dropped = {};
  const requirements = requirementsOf(merged, conversion);
  for (const { keyword, site } of merged.others) {
    const reason = unsupportedKeywords.get(keyword);
    if (reason === undefined || requirements.has(site)) continue;
    cannotSay(site, reason, place);
    dropped[keyword] = site.value;
    if (keyword !== "if") continue;
    for (const part of ["then", "else"]) {
      const value = merged.others.find((other) => other.keyword === part)?.site.value;
      if (value !== undefined) dropped[part] = value;
    }
  }
  const groups: Groups = {
    atLeastOneOf: groupsOf(merged, "anyOf"),
    exactlyOneOf: groupsOf(merged, "oneOf"),
    requirements: [...requirements.values()],
  };
  const union = merged.unions.find((each) => groupOf(each) === undefined);
  const shape =
    union === undefined
      ? plainShape(merged, groups, place, name, conversion)
      : unionShape(union, merged, place, name, conversion);
  return withDropped(shape, dropped);
}

/**
 * `anyOf` or `oneOf` of `required` with one name each, which the spec language has as groups of fields. In an
 * `anyOf`, they may lead into nested objects.
 */
function groupsOf({ unions }: Merged, keyword: Union["keyword"]): readonly (readonly string[])[] {
  return unions
    .filter((union) => union.keyword === keyword)
    .flatMap((union) => [groupOf(union) ?? []].filter((group) => group.length > 0));
}

function groupOf({ branches, keyword }: Union): readonly string[] | undefined {
  const paths = branches.map(({ value }) => pathIn(value));
  if (!paths.every((path) => path !== undefined)) return undefined;
  const isPlain = paths.every((path) => path.length === 1);
  const isNested = keyword === "anyOf" && paths.every((path) => path.every((name) => !name.includes(".")));
  return isPlain || isNested ? paths.map((path) => path.join(".")) : undefined;
}

/** The one member that has to be there, and what has to be there within it; undefined where more is said. */
function pathIn(value: Json): readonly string[] | undefined {
  if (!isObject(value) || !isList(value.required) || value.required.length !== 1) return undefined;
  const [name] = value.required;
  const { required: _required, type = "object", properties = {}, ...rest } = value;
  if (typeof name !== "string" || type !== "object" || saysMore(rest) || !isObject(properties))
    return undefined;
  const { [name]: own = {}, ...others } = properties;
  if (Object.keys(others).length > 0 || !isObject(own)) return undefined;
  if (!saysMore(own)) return [name];
  const within = pathIn(own);
  return within && [name, ...within];
}

function saysMore(schema: JsonObject): boolean {
  return hasAssertions(schema) || schema.$ref !== undefined || schema.allOf !== undefined;
}

/** Each alternative together with everything else that holds. */
function unionShape(union: Union, merged: Merged, place: Place, name: string, conversion: Conversion): Shape {
  const rest = merged.parts.map((part) =>
    part === union.part ? { ...part, without: new Set([...(part.without ?? []), union.keyword]) } : part,
  );
  const others = rest.filter((part) => hasAssertions(keywordsOf(part)));
  const { findings } = place.owner;
  const known = findings.length;
  const shapes = union.branches.map((branch, index) => {
    const needed = others.filter((part) => !isImpliedBy(part, branch, conversion));
    const sites = [branch, ...needed];
    const shape = coreShape(sites, branch, `${name}Option${index + 1}`, place.owner, conversion);
    return withRemarks(shape, remarksOfAll(sites));
  });
  const possible = shapes.filter((shape) => !isNever(shape));
  const isOneOf = union.keyword === "oneOf";
  // Of two that take everything, every value fits both; of two that take null alone, null does.
  if (isOneOf && possible.filter(isAnything).length > 1) return never;
  if (isOneOf && possible.length > 1 && possible.every(isNull)) return never;
  if (possible.length === 0) return never;
  const asAnyOf = (because: string): Shape => {
    cannotSay(place.site, `\`oneOf\` is taken as \`anyOf\`, because ${because}`, place);
    return withDropped(unionOf(possible, false), { oneOf: union.branches.map(({ value }) => value) });
  };
  // A nullable type takes null; of two alternatives that both take it, neither does.
  const takeNull = union.branches.filter(
    (branch) => impliedTypes(branch, conversion.sources)?.has("null") ?? true,
  );
  if (isOneOf && possible.some(isNull) && takeNull.length > 1)
    return asAnyOf("`null` fits more than one of its alternatives");
  const isWeakened =
    findings.slice(known).some(({ effect }) => effect === "dropped") ||
    possible.some((shape) => typesIn(shape).some((type) => conversion.weakened.has(type)));
  if (!isOneOf || !isWeakened) return unionOf(possible, isOneOf);
  // If one of two accepts too much, both may accept a value: exactly one would then accept less than the document
  // says.
  return asAnyOf("of what its alternatives lack");
}

/** `null` as an alternative makes the others nullable; nested unions of the same kind are one. */
function unionOf(shapes: readonly Shape[], exactlyOne: boolean): Shape {
  const flat = shapes.flatMap((shape) =>
    !exactlyOne && shape.kind === "union" && !shape.exactlyOne ? shape.alternatives : [shape],
  );
  const isNullable =
    flat.some((shape) => isNull(shape)) && (exactlyOne ? flat.filter(isNull).length === 1 : true);
  const rest = isNullable ? flat.filter((shape) => !isNull(shape)) : flat;
  const [first, ...more] = rest;
  if (first === undefined) return nothingButNull;
  const shape: Shape = more.length === 0 ? first : { kind: "union", alternatives: rest, exactlyOne };
  return isNullable ? { kind: "nullable", shape: more.length === 0 ? bare(shape) : shape } : shape;
}

function plainShape(
  merged: Merged,
  groups: Groups,
  place: Place,
  name: string,
  conversion: Conversion,
): Shape {
  if (merged.values !== undefined) {
    const shape = valuesShape(merged.values, merged);
    if (shape !== undefined) return shape;
    const keyword = memberOf(place.site.value, "const") === undefined ? "enum" : "const";
    const at = { ...place.site, pointer: `${place.site.pointer}/${keyword}` };
    const why = merged.values.some(isBeyondSafe)
      ? beyondSafe(keyword)
      : "values that are objects, lists or fractions have no word in the spec language";
    cannotSay(at, why, place);
    return withDropped(anything, { [keyword]: merged.values });
  }
  const types = merged.types === undefined ? spokenTypes(merged, place) : withoutDoubles(merged.types);
  if (types === undefined) return anything;
  const possible = types.filter((type) => type !== "object" || !lacksRequired(merged));
  if (possible.length === 0) return never;
  const convert = converting(place.owner, name, conversion);
  return unionOf(
    possible.map((type) => shapeOfType(type, merged, groups, place, convert)),
    false,
  );
}

/** Whether an object has to have a member that a closed part does not allow. */
function lacksRequired({ required, allowed, others }: Merged): boolean {
  if (others.some(({ keyword }) => keyword === "patternProperties")) return false;
  return [...required].some((name) => allowed.some((names) => !names.has(name)));
}

/** Undefined where the schema says nothing of any type. */
function spokenTypes(merged: Merged, place: Place): readonly JsonType[] | undefined {
  const spoken = typesSpokenOf(merged);
  if (spoken.length === 0) return undefined;
  const [only] = spoken;
  if (spoken.length === 1 && only !== undefined) {
    const reason = `there is no \`type\`, and only ${only}s are spoken of: assumed to be \`${only}\``;
    noteAssumption(place.site, reason, place.owner);
    return spoken;
  }
  const others = jsonTypes.filter((type) => !spoken.includes(type) && type !== "integer").join(", ");
  cannotSay(place.site, `there is no \`type\`: JSON Schema lets ${others} through, too. Say the type`, place);
  return spoken;
}

function withoutDoubles(types: ReadonlySet<JsonType>): readonly JsonType[] {
  return [...types].filter((type) => type !== "integer" || !types.has("number"));
}

function shapeOfType(type: JsonType, merged: Merged, groups: Groups, place: Place, convert: Convert): Shape {
  switch (type) {
    case "string":
      return stringShape(merged, place);
    case "number":
    case "integer":
      return numberShape(type, merged, place);
    case "boolean":
      return scalar("boolean");
    case "null":
      return nothingButNull;
    case "array":
      return arrayShape(merged, place, convert);
    case "object":
      return objectShape(merged, groups, place, convert);
  }
}

function converting(owner: Owner, name: string, conversion: Conversion): Convert {
  return (sites, part) => convertSchema(sites, `${name}${pascalCase(part)}`, owner, conversion);
}
