import { draft7Schema } from "../../print/json-schema/draft7-schema.ts";
import type { JsonSchema } from "../../print/json-schema/json-schema.ts";

/** The schema of a payload or result; what its method says of itself is said once, by the method. */
export function withoutRemarks(schema: JsonSchema): JsonSchema {
  const {
    description: _description,
    deprecated: _deprecated,
    "x-section": _section,
    "x-decisions": _decisions,
    "x-since": _since,
    ...rest
  } = draft7Schema(schema);
  return rest;
}
