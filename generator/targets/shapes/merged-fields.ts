import type { FieldModel } from "../../model/service-model.ts";

/** The fields of several objects by name, in the order of the objects: each as every object has it that has it. */
export function fieldVariants<Field extends Pick<FieldModel, "name">>(
  shapes: readonly { readonly fields: readonly Field[] }[],
): readonly (readonly Field[])[] {
  const byName = new Map<string, Field[]>();
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
export function mergedField<Field extends Pick<FieldModel, "sensitive" | "spellings">>(
  variants: readonly Field[],
): Field {
  const [first] = variants;
  if (first === undefined) throw new Error("a field of no form");
  return {
    ...first,
    sensitive: variants.some(({ sensitive }) => sensitive),
    spellings: [...new Set(variants.flatMap(({ spellings }) => spellings))],
  };
}
