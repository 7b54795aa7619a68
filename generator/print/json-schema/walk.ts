import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
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
  const { allOf, anyOf, oneOf, not, if: condition, then: consequence } = schema;
  return {
    ...schema,
    ...omitUndefined({
      prefixItems: prefixItems?.map(replace),
      items: items === undefined || items === false ? undefined : replace(items),
      propertyNames: propertyNames === undefined ? undefined : replace(propertyNames),
      additionalProperties:
        additionalProperties === undefined || additionalProperties === false
          ? undefined
          : replace(additionalProperties),
      properties: properties === undefined ? undefined : mapValues(properties, replace),
      allOf: allOf?.map(replace),
      anyOf: anyOf?.map(replace),
      oneOf: oneOf?.map(replace),
      not: not === undefined ? undefined : replace(not),
      if: condition === undefined ? undefined : replace(condition),
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema; no schema is ever awaited
      then: consequence === undefined ? undefined : replace(consequence),
    }),
  };
}

function mapValues(
  properties: Readonly<Record<string, JsonSchema>>,
  replace: (subschema: JsonSchema) => JsonSchema,
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, replace(schema)]));
}
