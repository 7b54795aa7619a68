import type { MethodModel, ServiceModel } from "../../model/service-model.ts";
import { declarationKeys } from "../../print/declaration-keys.ts";
import { createLast } from "../../language/source/once-per.ts";
import { jsonSchemas } from "../../print/json-schema/json-schema.ts";

/**
 * Whether a payload whose form is stored is held to one form after the other, because they cannot be expressed as one
 * object: what is wrong is another field in each form then.
 */
export function isHeldToEachForm(method: MethodModel, model: ServiceModel): boolean {
  if (method.payload.kind !== "forms" || method.payload.selectedBy !== "stored") return false;
  return lastHeld.of(method, declarationKeys(model).ofMethod(method), () => cannotBeMerged(method, model));
}

const lastHeld = createLast<MethodModel, boolean>();

function cannotBeMerged(method: MethodModel, model: ServiceModel): boolean {
  const { allOf = [], anyOf, properties: fields = {} } = jsonSchemas(model).payload(method);
  const alternatives = [anyOf, ...allOf.map((schema) => schema.anyOf)].flatMap((schemas) => schemas ?? []);
  return (
    alternatives.some(({ properties }) => properties !== undefined) ||
    Object.values(fields).some((field) => field.anyOf !== undefined)
  );
}
