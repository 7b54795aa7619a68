import type { FieldModel, ObjectTypeShape, PathGroup } from "../model/service-model.ts";

/** The prose of a field, and the condition that it is required under, which a type cannot say. */
export function fieldDoc(field: FieldModel): string {
  if (field.default !== undefined) {
    return sentences([field.doc, `Default: \`${JSON.stringify(field.default)}\`.`]);
  }
  if (field.presence.kind !== "required-when") return field.doc;
  const values = field.presence.values.map((value) => `\`${value}\``).join(" or ");
  return sentences([field.doc, `Required when \`${field.presence.field}\` is ${values}.`]);
}

/** Prose about an object, and which of its fields go together, which a type cannot say. */
export function objectDoc(doc: string | undefined, shape: ObjectTypeShape): string {
  return sentences([
    doc ?? "",
    ...shape.atLeastOneOf.map((group) => `At least one of ${names(group)} is present.`),
    ...(shape.atLeastOnePath ?? []).map((group) => `At least one of ${names(dotted(group))} is present.`),
    ...[...shape.exactlyOneOf, ...(shape.exactlyOnePath ?? []).map(dotted)].map(
      (group) => `Exactly one of ${names(group)} is present.`,
    ),
  ]);
}

/** Paths as texts. */
export function dotted(group: PathGroup): readonly string[] {
  return group.map((path) => path.join("."));
}

function names(group: readonly string[]): string {
  return group.map((name) => `\`${name}\``).join(", ");
}

/** Joins what is said; a text without a closing mark gets one before another follows. */
function sentences(texts: readonly string[]): string {
  const said = texts.map((text) => text.trim()).filter((text) => text !== "");
  return said
    .map((text, index) => (index === said.length - 1 || /[.!?]$/.test(text) ? text : `${text}.`))
    .join(" ");
}
