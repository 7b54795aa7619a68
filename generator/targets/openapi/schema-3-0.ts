import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import type { JsonSchema } from "../../print/json-schema/json-schema.ts";

/** A schema object of OpenAPI 3.0. */
type Schema30 = Readonly<Record<string, unknown>>;

/**
 * The schema as OpenAPI 3.0 writes it, which has neither `const` nor `null`, `if`, tuples and `propertyNames`. It takes
 * the same values, except that the places of a tuple share their types, and the keys of a map are free.
 */
export function schema30(schema: JsonSchema): Schema30 {
  const { $ref, ...beside } = schema;
  if ($ref !== undefined) return referenceWith($ref, beside);
  const nullable = nullableOf(schema);
  if (nullable !== undefined) return nullable;
  const { prefixItems, propertyNames: _keys, if: condition, then: consequence, examples, ...rest } = schema;
  const { const: constant, exclusiveMinimum, exclusiveMaximum, not, ...same } = rest;
  const {
    items: _items,
    properties,
    additionalProperties,
    allOf,
    anyOf,
    oneOf,
    minimum,
    maximum,
    type,
    ...others
  } = same;
  const implied =
    condition === undefined || consequence === undefined
      ? undefined
      : [{ not: schema30(condition) }, schema30(consequence)];
  return omitUndefined({
    ...others,
    ...(type === "null" ? onlyNull : { type: type ?? typeOf(constant) }),
    ...(constant === undefined ? {} : { enum: [constant] }),
    ...limit("minimum", minimum, exclusiveMinimum, Math.max),
    ...limit("maximum", maximum, exclusiveMaximum, Math.min),
    items: itemsOf(schema),
    ...(prefixItems === undefined ? {} : { maxItems: prefixItems.length }),
    properties:
      properties &&
      Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, schema30(property)])),
    additionalProperties: additionalProperties && schema30(additionalProperties),
    ...(additionalProperties === false ? { additionalProperties } : {}),
    allOf: allOf?.map(schema30),
    anyOf: implied ?? anyOf?.map(schema30),
    oneOf: oneOf?.map(schema30),
    not: not && schema30(not),
    example: examples?.[0],
  });
}

/** Only null, which has to have a type to be allowed. */
const onlyNull = { type: "object", nullable: true, maxProperties: 0 };

/** Beside a reference nothing counts: annotations are left out, and what constrains stands in an `allOf`. */
function referenceWith($ref: string, beside: JsonSchema): Schema30 {
  const constrains = Object.keys(beside).some((key) => !key.startsWith("x-") && !annotations.has(key));
  return constrains ? { allOf: [{ $ref }, schema30(beside)] } : { $ref };
}

const annotations: ReadonlySet<string> = new Set([
  "description",
  "title",
  "deprecated",
  "examples",
  "default",
]);

/** A schema or null. */
function nullableOf({ anyOf, ...beside }: JsonSchema): Schema30 | undefined {
  const others = anyOf?.filter(({ type }) => type !== "null") ?? [];
  const [only] = others;
  if (anyOf === undefined || others.length === anyOf.length || only === undefined) return undefined;
  const nullable = { ...schema30(beside), nullable: true };
  if (others.length > 1) return { ...nullable, anyOf: others.map(schema30) };
  return only.$ref === undefined
    ? { ...nullable, ...schema30(only) }
    : { ...nullable, allOf: [schema30(only)] };
}

/** An array has to say what its items are. */
function itemsOf({ type, items, prefixItems }: JsonSchema): Schema30 | undefined {
  if (type !== "array") return undefined;
  const places = [...new Map((prefixItems ?? []).map((item) => [JSON.stringify(item), item])).values()];
  const [first] = places;
  if (places.length > 1) return { anyOf: places.map(schema30) };
  return schema30(first ?? (items === false ? {} : (items ?? {})));
}

/** In 3.0 a limit is exclusive by a flag beside it. */
function limit(
  name: "minimum" | "maximum",
  inclusive: number | undefined,
  exclusive: number | undefined,
  stricter: (one: number, other: number) => number,
): Schema30 {
  if (exclusive === undefined) return { [name]: inclusive };
  if (inclusive !== undefined && inclusive !== exclusive && stricter(inclusive, exclusive) === inclusive)
    return { [name]: inclusive };
  return { [name]: exclusive, [name === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum"]: true };
}

function typeOf(constant: unknown): string | undefined {
  return constant === undefined ? undefined : typeof constant;
}
