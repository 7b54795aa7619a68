import { draft7Schema } from "../../print/json-schema/draft7-schema.ts";
import type { JsonSchema } from "../../print/json-schema/json-schema.ts";

/** The first sentence of a text, on one line. */
export function firstSentence(doc: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(doc)?.[0].replace(/\s+/g, " ") ?? doc;
}

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
