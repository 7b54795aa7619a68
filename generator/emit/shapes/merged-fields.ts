import type { FieldModel, ObjectTypeShape } from "../../model/service-model.ts";

/** The fields of several forms of one payload, each name once, in the order of the forms. */
export function mergedFields(shapes: readonly ObjectTypeShape[]): readonly FieldModel[] {
  const byName = new Map<string, FieldModel>();
  for (const field of shapes.flatMap((shape) => shape.fields)) {
    const known = byName.get(field.name);
    byName.set(field.name, known === undefined ? field : mergedField(known, field));
  }
  return [...byName.values()];
}

/** Fields of one name: sensitive if either is, and objects written in place have the members of both. */
function mergedField(a: FieldModel, b: FieldModel): FieldModel {
  const shape =
    a.shape.kind === "object" && b.shape.kind === "object"
      ? { ...a.shape, fields: mergedFields([a.shape, b.shape]) }
      : a.shape;
  return {
    ...a,
    shape,
    sensitive: a.sensitive || b.sensitive,
    spellings: [...new Set([...a.spellings, ...b.spellings])],
  };
}
