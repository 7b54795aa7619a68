import {
  fieldGroups,
  presenceOf,
  resolveShape,
  scalarShape,
  shapeFrom,
  type EnumSpec,
  type FieldSpec,
  type ObjectSpec,
  type RefSpec,
  type Scope,
  type ShapeSpec,
  type UnknownSpec,
} from "../language/index.ts";
import { documented } from "./shape.ts";
import { exampleValue } from "./examples.ts";
import type { EnumShape, FieldModel, ObjectTypeShape, Shape } from "./service-model.ts";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";

/** A shape whose rules have been checked, as emitters read it. */
export function shapeOf(spec: ShapeSpec, scope: Scope): Shape {
  return shapeFrom(spec, {
    objectShape: (object) => objectShape(object, scope),
    enumShape,
    unknownShape: () => {
      throw new Error("a shape that failed its check reached the model");
    },
    scalarShape,
  });
}

/** The shape of a method's result; a named object is given by its fields. */
export function resultShapeOf(spec: ShapeSpec, scope: Scope): Shape {
  const resolved = resolveShape(spec, scope);
  return resolved?.kind === "object" ? objectShape(resolved, scope) : shapeOf(spec, scope);
}

/** The fields of an object, or of the object type that is named. */
export function objectShapeOf(spec: ObjectSpec | RefSpec | UnknownSpec, scope: Scope): ObjectTypeShape {
  const resolved = resolveShape(spec, scope);
  if (resolved?.kind !== "object")
    throw new Error("what has to be an object reached the model as something else");
  return objectShape(resolved, scope);
}

function objectShape(spec: ObjectSpec, scope: Scope): ObjectTypeShape {
  return {
    kind: "object",
    fields: spec.fields.map((field) => fieldModel(field, scope)),
    ...fieldGroups(spec),
    ...omitUndefined({ closed: spec.closed === true ? (true as const) : undefined }),
  };
}

function fieldModel(spec: FieldSpec, scope: Scope): FieldModel {
  return omitUndefined({
    ...documented(spec),
    name: spec.name.value,
    shape: shapeOf(spec.shape, scope),
    presence: presenceOf(spec),
    default: spec.default && exampleValue(spec.default, spec.shape, scope),
    spellings: spec.spellings.map((spelling) => spelling.value),
    alsoSentAs: spec.alsoSentAs?.value,
    renamedFrom: spec.renamedFrom?.value,
    identifies: spec.identifies?.value,
    refersTo: spec.refersTo?.value,
    label: spec.label,
    sensitive: spec.sensitive,
    example: spec.example && exampleValue(spec.example, spec.shape, scope),
  });
}

function enumShape(spec: EnumSpec): EnumShape {
  return {
    kind: "enum",
    ...(spec.constraints.some(({ key, value }) => key === "open" && value === true)
      ? { open: true as const }
      : {}),
    values: spec.values.map((value) =>
      omitUndefined({
        ...documented(value),
        value: value.integer ?? value.value.value,
        renamedFrom: value.renamedFrom?.value,
      }),
    ),
  };
}
