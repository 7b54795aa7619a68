import type { JsonSchema, JsonSchemas } from "../../print/json-schema/json-schema.ts";
import { mapSubschemas, subschemas } from "../../print/json-schema/walk.ts";
import { depthFirst } from "../../language/source/depth-first.ts";

/**
 * A schema whose types stand where they are referred to, or, where one is long and used more than once, under `$defs`.
 * References lead out of it to types that have a function of their own in the module ({@link typesOfTheirOwn}).
 */
export function moduleSchema(root: JsonSchema, schemas: JsonSchemas, own: ReadonlySet<string>): JsonSchema {
  const kept = definitionsToKeep(root, own, schemas);
  const isReference = (name: string): boolean => own.has(name) || kept.has(name);
  const schema = inlined(root, isReference, schemas);
  if (kept.size === 0) return schema;
  const $defs = [...kept].map(
    (name) => [name, inlined(schemaNamed(name, schemas), isReference, schemas)] as const,
  );
  return { ...schema, $defs: Object.fromEntries($defs) };
}

/**
 * How many schemas may stand in the place of a reference. What is printed grows with the spec: it is at most as many
 * times as long. The types of a usual interface have fewer, and their checks call nothing.
 */
const weightMax = 64;

/** The types that all schemas of a module refer to: those of circles, and those that are too long to be repeated. */
export function typesOfTheirOwn({ definitions }: JsonSchemas): ReadonlySet<string> {
  const own = new Set<string>();
  const weights = new Map<string, number>();
  const weightOf = (schema: JsonSchema): number => {
    const inside = schema.$ref === undefined ? 0 : (weights.get(nameIn(schema.$ref)) ?? 0);
    return subschemas(schema).reduce((sum, subschema) => sum + weightOf(subschema), 1 + inside);
  };
  const uses = ({ schema }: Definition): readonly Definition[] =>
    referredTo(schema).flatMap((name) => definitions[name] ?? []);
  for (const circle of depthFirst(Object.values(definitions), uses).circles)
    for (const definition of circle) {
      const { name, schema } = definition;
      const weight = weightOf(schema);
      if (circle.length > 1 || weight > weightMax || uses(definition).includes(definition)) own.add(name);
      else weights.set(name, weight);
    }
  return own;
}

type Definition = JsonSchemas["definitions"][string];

function referredTo(schema: JsonSchema): readonly string[] {
  const named = schema.$ref === undefined ? [] : [nameIn(schema.$ref)];
  return [...named, ...subschemas(schema).flatMap(referredTo)];
}

function definitionsToKeep(
  root: JsonSchema,
  own: ReadonlySet<string>,
  schemas: JsonSchemas,
): ReadonlySet<string> {
  const uses = new Map<string, number>();
  const visit = (schema: JsonSchema): void => {
    if (schema.$ref !== undefined) visitDefinition(nameIn(schema.$ref));
    for (const subschema of subschemas(schema)) visit(subschema);
  };
  const visitDefinition = (name: string): void => {
    if (own.has(name)) return;
    const count = (uses.get(name) ?? 0) + 1;
    uses.set(name, count);
    if (count === 1) visit(schemaNamed(name, schemas));
  };
  visit(root);
  const keep = [...uses].filter(([name, count]) => count > 1 && isLong(schemaNamed(name, schemas)));
  return new Set(keep.map(([name]) => name));
}

/** Scalars are short enough to repeat; the values of an enum are not. */
function isLong({ type, enum: values, $ref }: JsonSchema): boolean {
  return type === "object" || type === "array" || values !== undefined || $ref !== undefined;
}

function inlined(
  schema: JsonSchema,
  isReference: (name: string) => boolean,
  schemas: JsonSchemas,
): JsonSchema {
  const { $ref, ...rest } = mapSubschemas(schema, (subschema) => inlined(subschema, isReference, schemas));
  if ($ref === undefined) return rest;
  const name = nameIn($ref);
  return isReference(name)
    ? { $ref, ...rest }
    : { ...inlined(schemaNamed(name, schemas), isReference, schemas), ...rest };
}

function nameIn(ref: string): string {
  return ref.slice("#/$defs/".length);
}

/** The schema of a definition. */
export function schemaNamed(name: string, schemas: JsonSchemas): JsonSchema {
  const definition = schemas.definitions[name];
  if (definition === undefined) throw new Error(`no definition ${name}`);
  return definition.schema;
}
