import type { JsonSchema, JsonSchemas } from "../../print/json-schema/json-schema.ts";
import { mapSubschemas, subschemas } from "../../print/json-schema/walk.ts";

/**
 * A schema that stands alone: what it refers to stands in its place, or, where the type is recursive or long and
 * used more than once, under `$defs`.
 */
export function moduleSchema(root: JsonSchema, schemas: JsonSchemas): JsonSchema {
  const kept = definitionsToKeep(root, schemas);
  const schema = inlined(root, kept, schemas);
  if (kept.size === 0) return schema;
  const $defs = [...kept].map((name) => [name, inlined(schemaNamed(name, schemas), kept, schemas)] as const);
  return { ...schema, $defs: Object.fromEntries($defs) };
}

function definitionsToKeep(root: JsonSchema, schemas: JsonSchemas): ReadonlySet<string> {
  const uses = new Map<string, number>();
  const open = new Set<string>();
  const recursive = new Set<string>();
  const visit = (schema: JsonSchema): void => {
    if (schema.$ref !== undefined) visitDefinition(nameIn(schema.$ref));
    for (const subschema of subschemas(schema)) visit(subschema);
  };
  const visitDefinition = (name: string): void => {
    const count = (uses.get(name) ?? 0) + 1;
    uses.set(name, count);
    if (open.has(name)) recursive.add(name);
    if (count > 1) return;
    open.add(name);
    visit(schemaNamed(name, schemas));
    open.delete(name);
  };
  visit(root);
  const keep = [...uses].filter(
    ([name, count]) => recursive.has(name) || (count > 1 && isLong(schemaNamed(name, schemas))),
  );
  return new Set(keep.map(([name]) => name));
}

/** Scalars are short enough to repeat; the values of an enum are not. */
function isLong({ type, enum: values, $ref }: JsonSchema): boolean {
  return type === "object" || type === "array" || values !== undefined || $ref !== undefined;
}

function inlined(schema: JsonSchema, kept: ReadonlySet<string>, schemas: JsonSchemas): JsonSchema {
  const { $ref, ...rest } = mapSubschemas(schema, (subschema) => inlined(subschema, kept, schemas));
  if ($ref === undefined) return rest;
  const name = nameIn($ref);
  return kept.has(name)
    ? { $ref, ...rest }
    : { ...inlined(schemaNamed(name, schemas), kept, schemas), ...rest };
}

function nameIn(ref: string): string {
  return ref.slice("#/$defs/".length);
}

function schemaNamed(name: string, schemas: JsonSchemas): JsonSchema {
  const definition = schemas.definitions[name];
  if (definition === undefined) throw new Error(`no definition ${name}`);
  return definition.schema;
}
