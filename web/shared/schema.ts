import { HttpError } from "./failure.ts";
import { isObject, textOf, type Json, type JsonObject } from "./json.ts";

/** The exported JSON Schema of an interface. */
export interface SchemaDocument {
  /** The schema of a type or a payload, such as `GetAccountPayload`; `{}` if it is missing. */
  of(name: string): JsonObject;
  /** A schema without `$ref`. */
  resolved(schema: JsonObject): JsonObject;
}

/** Reads the document from the server. */
export async function loadSchema(url: URL): Promise<SchemaDocument> {
  const response = await fetch(url);
  if (!response.ok) throw new HttpError(url.pathname, response.status);
  const document: unknown = await response.json();
  const definitions = isObject(document) && isObject(document["$defs"]) ? document["$defs"] : {};
  const of = (name: string): JsonObject => {
    const found = own(definitions, name);
    return isObject(found) ? found : {};
  };
  const resolved = (schema: JsonObject): JsonObject => {
    const name = /^#\/\$defs\/(.+)$/.exec(textOf(schema["$ref"]))?.[1];
    if (name === undefined) return schema;
    const { $ref: _, ...beside } = schema;
    return { ...resolved(of(name)), ...beside };
  };
  return { of, resolved };
}

/** A field's name, and what people call it where the spec says so. */
export interface FieldName {
  readonly name: string;
  readonly label?: string | undefined;
}

/** One field of an object, as a form shows it. */
export interface SchemaField extends FieldName {
  readonly schema: JsonObject;
  readonly required: boolean;
  /** The fields of which at least one is needed, where it is one of them. */
  readonly group?: readonly FieldName[];
  readonly doc: string;
}

/**
 * The fields of an object schema for a value that is being written, with those of the form that a field's value
 * selects (`if` / `then`).
 */
export function fieldsOf(document: SchemaDocument, schema: JsonObject, value: JsonObject): SchemaField[] {
  const own = document.resolved(schema);
  const fields = new Map<string, SchemaField>();
  for (const part of [own, ...selectedParts(document, own, value)]) {
    const required = listOf(part["required"]);
    const properties = isObject(part["properties"]) ? part["properties"] : {};
    const group = groupOf(part);
    for (const [name, property] of Object.entries(properties)) {
      const known = fields.get(name);
      const given = isObject(property) ? property : {};
      const merged = { ...known?.schema, ...given };
      // The field that selects keeps its choice of values beside the constant of the selected form.
      if (known !== undefined && "enum" in known.schema) delete merged["const"];
      fields.set(name, {
        ...namedField(name, merged),
        schema: merged,
        required: known?.required === true || required.includes(name),
        ...(group.some((each) => each.name === name) ? { group } : known?.group && { group: known.group }),
        doc: textOf(document.resolved(merged)["description"]),
      });
    }
  }
  return [...fields.values()];
}

/** The fields of an object of which at least one is needed; none where the schema asks for no such thing. */
export function groupOf(schema: JsonObject): readonly FieldName[] {
  const alternatives = objectsOf(schema["anyOf"]);
  if (!alternatives.every((each) => Object.keys(each).join() === "required")) return [];
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  return alternatives
    .flatMap((each) => listOf(each["required"]).map(textOf))
    .map((name) => namedField(name, own(properties, name)));
}

/** A field's own title is its label; that of its type names something else. */
function namedField(name: string, schema: Json | undefined): FieldName {
  const title = isObject(schema) ? textOf(schema["title"]) : "";
  return { name, label: title === "" ? undefined : title };
}

function selectedParts(document: SchemaDocument, schema: JsonObject, value: JsonObject): JsonObject[] {
  const parts = objectsOf(schema["allOf"]);
  // A schema may have one condition of its own.
  const conditional = "if" in schema ? [...parts, schema] : parts;
  return conditional.flatMap((part) => {
    const condition = part["if"];
    if (!isObject(condition)) return [document.resolved(part)];
    const selected = part["then"];
    return isObject(selected) && holds(condition, value) ? [document.resolved(selected)] : [];
  });
}

/** Whether each field that a condition names has the value that it names. */
function holds(condition: JsonObject, value: JsonObject): boolean {
  const properties = isObject(condition["properties"]) ? condition["properties"] : {};
  return Object.entries(properties).every(([name, wanted]) => {
    if (!isObject(wanted)) return true;
    const given = own(value, name);
    return "const" in wanted ? given === wanted["const"] : listOf(wanted["enum"]).includes(given ?? null);
  });
}

/** A member of an object, and nothing that every object has: a field may be called `toString`. */
export function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function objectsOf(value: Json | undefined): JsonObject[] {
  return listOf(value).filter((each) => isObject(each));
}
