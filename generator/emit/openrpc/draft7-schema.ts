import type { JsonSchema } from "../../print/json-schema.ts";

/**
 * The same schema for readers of JSON Schema draft 7, which OpenRPC 1.3 prescribes: there, what stands beside a
 * `$ref` is ignored, so the reference moves into an `allOf`. Everything else that a spec can express reads the same.
 */
export function draft7Schema(schema: JsonSchema): JsonSchema {
  const { $ref, ...rest } = mapSubschemas(schema);
  if ($ref === undefined) return rest;
  if (Object.keys(rest).length === 0) return { $ref };
  return { ...rest, allOf: [{ $ref }, ...(rest.allOf ?? [])] };
}

function mapSubschemas(schema: JsonSchema): JsonSchema {
  const { items, properties, allOf, anyOf, oneOf } = schema;
  return {
    ...schema,
    ...(items === undefined ? {} : { items: draft7Schema(items) }),
    ...(properties === undefined ? {} : { properties: mapValues(properties) }),
    ...(allOf === undefined ? {} : { allOf: allOf.map(draft7Schema) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(draft7Schema) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(draft7Schema) }),
    ...(schema.if === undefined ? {} : { if: draft7Schema(schema.if) }),
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema; no schema is ever awaited
    ...(schema.then === undefined ? {} : { then: draft7Schema(schema.then) }),
  };
}

function mapValues(schemas: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, draft7Schema(schema)]));
}
