import { isJsonObject } from "../../../conformance/values/index.ts";
import { resolve } from "../../model/index.ts";
import type { FieldModel, ServiceModel, Shape } from "../../model/service-model.ts";
import { absent, partAt, type JsonPath } from "../../samples/index.ts";

/** The fields that a path goes through. */
export function fieldsAlong(path: JsonPath, shape: Shape, model: ServiceModel): readonly FieldModel[] {
  const fields: FieldModel[] = [];
  let at: Shape | undefined = shape;
  for (const step of path) {
    const resolved: Shape | undefined = at === undefined ? undefined : resolve(model, at);
    if (resolved?.kind === "array") at = resolved.items;
    else if (resolved?.kind === "object") {
      const field: FieldModel | undefined = resolved.fields.find(({ name }) => name === step);
      if (field === undefined) return fields;
      fields.push(field);
      at = field.shape;
    } else return fields;
  }
  return fields;
}

/** Every field that a value has, inner ones too, and where. Of a list, those of its first item. */
export function fieldsOf(
  shape: Shape,
  value: unknown,
  model: ServiceModel,
  path: JsonPath = [],
): readonly { readonly field: FieldModel; readonly path: JsonPath }[] {
  const resolved = resolve(model, shape);
  const here = partAt(value, path);
  if (resolved.kind === "array")
    return Array.isArray(here) && here.length > 0 ? fieldsOf(resolved.items, value, model, [...path, 0]) : [];
  if (resolved.kind !== "object" || !isJsonObject(here)) return [];
  return resolved.fields.flatMap((field) => {
    const at = [...path, field.name];
    if (partAt(value, at) === absent) return [];
    return [{ field, path: at }, ...fieldsOf(field.shape, value, model, at)];
  });
}
