import { mapSubschemas } from "./walk.ts";
import type { JsonSchema } from "./json-schema.ts";

/**
 * The same schema for readers of JSON Schema draft 7, which OpenRPC and AsyncAPI prescribe. They ignore keywords
 * beside a `$ref`, so the reference moves into an `allOf`. A tuple has its schemas in `items`. Everything else that a
 * spec can express reads the same.
 */
export function draft7Schema(schema: JsonSchema): JsonSchema {
  const { $ref, ...rest } = withTuple(mapSubschemas(schema, draft7Schema));
  if ($ref === undefined) return rest;
  if (Object.keys(rest).length === 0) return { $ref };
  return { ...rest, allOf: [{ $ref }, ...(rest.allOf ?? [])] };
}

/** `items` as a list of schemas is no schema of 2020-12, whose types these are. */
function withTuple(schema: JsonSchema): JsonSchema {
  const { prefixItems, items: _items, ...rest } = schema;
  if (prefixItems === undefined) return schema;
  const tuple: JsonSchema = { ...rest };
  Reflect.set(tuple, "items", prefixItems);
  Reflect.set(tuple, "additionalItems", false);
  return tuple;
}
