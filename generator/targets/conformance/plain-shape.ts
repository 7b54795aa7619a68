import type { SpecReference } from "../../../conformance/suite/level.ts";
import type { MethodEntry } from "../../../conformance/suite/suite.ts";
import type { FieldShape, ObjectShape, Shape as PlainShape } from "../../../conformance/values/index.ts";
import type {
  Documented,
  FieldModel,
  ObjectTypeShape,
  PayloadModel,
  Shape,
  MethodModel,
} from "../../model/service-model.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import type { JsonSchemas } from "../../print/json-schema/json-schema.ts";

export function statedOf({ section, decisions }: Pick<Documented, "section" | "decisions">): SpecReference {
  return omitUndefined({ section, decisions });
}

/** A payload without what only people and code generators need. */
export function plainPayload(payload: PayloadModel, heldToEach: boolean): MethodEntry["payload"] {
  if (payload.kind === "single") return { kind: "single", shape: plainObject(payload.shape) };
  const forms = payload.forms.map(({ name, shape }) => ({ name, shape: plainObject(shape) }));
  return omitUndefined({
    kind: "forms",
    selectedBy: payload.selectedBy,
    heldToEach: heldToEach || undefined,
    forms,
  });
}

export function plainShape(shape: Shape): PlainShape {
  switch (shape.kind) {
    case "object":
      return plainObject(shape);
    case "array":
      return { ...shape, items: plainShape(shape.items) };
    case "enum":
      return omitUndefined({
        kind: "enum",
        open: shape.open,
        values: shape.values.map(({ value }) => ({ value })),
      });
    case "nullable":
      return { kind: "nullable", shape: plainShape(shape.shape) };
    case "map":
      return omitUndefined({
        kind: "map",
        values: plainShape(shape.values),
        keys: shape.keys === undefined ? undefined : plainShape(shape.keys),
      });
    case "tuple":
      return { kind: "tuple", items: shape.items.map(plainShape) };
    case "union":
      return { ...shape, alternatives: shape.alternatives.map(plainShape) };
    default:
      return shape;
  }
}

function plainObject(shape: ObjectTypeShape): ObjectShape {
  return { ...shape, fields: shape.fields.map(plainField) };
}

function plainField(field: FieldModel): FieldShape {
  const { name, presence, spellings, alsoSentAs, identifies, refersTo, sensitive, example } = field;
  return omitUndefined({
    name,
    shape: plainShape(field.shape),
    presence,
    spellings,
    ...statedOf(field),
    alsoSentAs,
    identifies,
    refersTo,
    sensitive: sensitive || undefined,
    example,
  });
}

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
