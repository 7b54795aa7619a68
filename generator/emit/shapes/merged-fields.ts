import type { FieldModel, ObjectTypeShape } from "../../model/service-model.ts";

/** The fields of several objects by name, in the order of the objects: each as every object has it that has it. */
export function fieldVariants(shapes: readonly ObjectTypeShape[]): readonly (readonly FieldModel[])[] {
  const byName = new Map<string, FieldModel[]>();
  for (const field of shapes.flatMap((shape) => shape.fields)) {
    const known = byName.get(field.name);
    if (known === undefined) byName.set(field.name, [field]);
    else known.push(field);
  }
  return [...byName.values()];
}

/**
 * Fields of one name as one, which is sensitive if any is, and may be spelled as any may. Its shape is that of the
 * first: what the others are made of is up to the caller.
 */
export function mergedField(variants: readonly FieldModel[]): FieldModel {
  const [first] = variants;
  if (first === undefined) throw new Error("a field of no form");
  return {
    ...first,
    sensitive: variants.some(({ sensitive }) => sensitive),
    spellings: [...new Set(variants.flatMap(({ spellings }) => spellings))],
  };
}
