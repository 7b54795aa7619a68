import { mapSubschemas } from "../../print/json-schema-walk.ts";
import type { JsonSchema } from "../../print/json-schema.ts";

/**
 * The same schema for readers of JSON Schema draft 7, which OpenRPC 1.3 prescribes: there, what stands beside a
 * `$ref` is ignored, so the reference moves into an `allOf`. Everything else that a spec can express reads the same.
 */
export function draft7Schema(schema: JsonSchema): JsonSchema {
  const { $ref, ...rest } = mapSubschemas(schema, draft7Schema);
  if ($ref === undefined) return rest;
  if (Object.keys(rest).length === 0) return { $ref };
  return { ...rest, allOf: [{ $ref }, ...(rest.allOf ?? [])] };
}
