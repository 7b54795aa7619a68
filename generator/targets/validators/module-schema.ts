import type { JsonSchema, JsonSchemas } from "../../print/json-schema/json-schema.ts";
import { mapSubschemas, subschemas } from "../../print/json-schema/walk.ts";

/** The schema with the plain texts and numbers that it refers to in their place. All other references stay. */
export function withPlainTypes(schema: JsonSchema, { definitions }: JsonSchemas): JsonSchema {
  const replaced = (part: JsonSchema): JsonSchema => {
    const { $ref, ...rest } = mapSubschemas(part, replaced);
    if ($ref === undefined) return rest;
    const definition = definitions[nameIn($ref)];
    if (definition === undefined) throw new Error(`no definition ${$ref}`);
    return isPlain(definition.schema) ? { ...replaced(definition.schema), ...rest } : { $ref, ...rest };
  };
  return replaced(schema);
}

/** The name of the definition that a reference leads to. */
export function nameIn(ref: string): string {
  return ref.slice("#/$defs/".length);
}

/** A text, number or boolean, whose checks are shorter than a function. A list of values is not. */
function isPlain(schema: JsonSchema): boolean {
  const { type, enum: values } = schema;
  const isScalar = type !== undefined && type !== "object" && type !== "array";
  return isScalar && values === undefined && subschemas(schema).length === 0;
}
