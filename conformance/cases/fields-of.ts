import { absent, partAt, type JsonPath } from "../samples/index.ts";
import { isJsonObject, type FieldShape, type Reading, type Shape } from "../values/index.ts";

type Resolve = Reading["resolve"];

/** The fields that a path goes through. */
export function fieldsAlong(path: JsonPath, shape: Shape, resolve: Resolve): readonly FieldShape[] {
  const fields: FieldShape[] = [];
  let at: Shape | undefined = shape;
  for (const step of path) {
    const resolved: Shape | undefined = at === undefined ? undefined : resolve(at);
    if (resolved?.kind === "array") at = resolved.items;
    else if (resolved?.kind === "object") {
      const field: FieldShape | undefined = resolved.fields.find(({ name }) => name === step);
      if (field === undefined) return fields;
      fields.push(field);
      at = field.shape;
    } else return fields;
  }
  return fields;
}

/** Every field that a value has, inner ones too, and where. For a list, the fields of its first item. */
export function fieldsOf(
  shape: Shape,
  value: unknown,
  resolve: Resolve,
  path: JsonPath = [],
): readonly { readonly field: FieldShape; readonly path: JsonPath }[] {
  const resolved = resolve(shape);
  const here = partAt(value, path);
  if (resolved.kind === "array")
    return Array.isArray(here) && here.length > 0
      ? fieldsOf(resolved.items, value, resolve, [...path, 0])
      : [];
  if (resolved.kind !== "object" || !isJsonObject(here)) return [];
  return resolved.fields.flatMap((field) => {
    const at = [...path, field.name];
    if (partAt(value, at) === absent) return [];
    return [{ field, path: at }, ...fieldsOf(field.shape, value, resolve, at)];
  });
}
