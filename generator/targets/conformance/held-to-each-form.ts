import type { MethodModel } from "../../model/service-model.ts";
import type { JsonSchemas } from "../../print/json-schema/json-schema.ts";

/**
 * Whether a payload whose form is stored is checked against one form after the other, because one object cannot
 * express them. Another field is then wrong in each form.
 */
export function isHeldToEachForm(method: MethodModel, schemas: JsonSchemas): boolean {
  if (method.payload.kind !== "forms" || method.payload.selectedBy !== "stored") return false;
  const { allOf = [], anyOf, properties: fields = {} } = schemas.payload(method);
  const alternatives = [anyOf, ...allOf.map((schema) => schema.anyOf)].flatMap((schemas) => schemas ?? []);
  return (
    alternatives.some(({ properties }) => properties !== undefined) ||
    Object.values(fields).some((field) => field.anyOf !== undefined)
  );
}
