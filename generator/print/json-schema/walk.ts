import type { JsonSchema } from "./keywords.ts";

/** The schemas directly inside a schema, in its order; its `$defs` are not inside it. */
export function subschemas(schema: JsonSchema): readonly JsonSchema[] {
  const inside: JsonSchema[] = [];
  mapSubschemas(schema, (subschema) => {
    inside.push(subschema);
    return subschema;
  });
  return inside;
}

/** The schema with each schema directly inside it replaced. */
export function mapSubschemas(
  schema: JsonSchema,
  replace: (subschema: JsonSchema) => JsonSchema,
): JsonSchema {
  const { items, prefixItems, properties, propertyNames, additionalProperties } = schema;
  const { allOf, anyOf, oneOf, if: condition, then: consequence } = schema;
  return {
    ...schema,
    ...(prefixItems === undefined ? {} : { prefixItems: prefixItems.map(replace) }),
    ...(items === undefined || items === false ? {} : { items: replace(items) }),
    ...(propertyNames === undefined ? {} : { propertyNames: replace(propertyNames) }),
    ...(additionalProperties === undefined || additionalProperties === false
      ? {}
      : { additionalProperties: replace(additionalProperties) }),
    ...(properties === undefined ? {} : { properties: mapValues(properties, replace) }),
    ...(allOf === undefined ? {} : { allOf: allOf.map(replace) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(replace) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(replace) }),
    ...(condition === undefined ? {} : { if: replace(condition) }),
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema; no schema is ever awaited
    ...(consequence === undefined ? {} : { then: replace(consequence) }),
  };
}

function mapValues(
  properties: Readonly<Record<string, JsonSchema>>,
  replace: (subschema: JsonSchema) => JsonSchema,
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, replace(schema)]));
}
