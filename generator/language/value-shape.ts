import { fieldGroups } from "./field-groups.ts";
import type {
  FieldShape,
  ObjectShape,
  ResolvedShape,
  ScalarShape,
  Shape,
} from "../../conformance/suite/shape.ts";
import { soundPattern } from "./patterns/patterns.ts";
import { resolveShape } from "./references/reach.ts";
import type { Scope } from "./references/scope.ts";
import { scalarShape, shapeFrom } from "./shape-from.ts";
import type { FieldSpec, ObjectSpec, ShapeSpec } from "./spec.ts";

/** Which way a value travels; `any` for the example of a type or field, which may travel either way. */
export type ValueDirection = "request" | "response" | "any";

/**
 * The definition of a value, for the reference check of values. Of anything that is wrong or unknown in the spec,
 * `json`: it is not held against the value. Members that no field declares are refused.
 */
export function valueShape(spec: ShapeSpec, direction: ValueDirection): Shape {
  return shapeFrom(spec, {
    objectShape: (object) => objectShape(object, direction),
    enumShape: ({ values }) => ({
      kind: "enum",
      values: values.map(({ value, integer }) => ({ value: integer ?? value.value })),
    }),
    unknownShape: () => ({ kind: "json" }),
    scalarShape: (scalar) => withSoundPattern(scalarShape(scalar)),
  });
}

/** The shape without a pattern that is invalid or may never end: that has been reported where it stands. */
export function withSoundPattern(shape: ScalarShape): ScalarShape {
  if (shape.kind !== "string" || soundPattern(shape.pattern) !== undefined) return shape;
  const { pattern: _unsound, ...rest } = shape;
  return rest;
}

/** The shape at the end of a chain of names. */
export function resolvedValueShape(shape: Shape, scope: Scope, direction: ValueDirection): ResolvedShape {
  if (shape.kind !== "ref") return shape;
  const type = scope.types.get(shape.type);
  const spec = type && resolveShape(type.shape, scope);
  const resolved = spec && valueShape(spec, direction);
  return resolved === undefined || resolved.kind === "ref" ? { kind: "json" } : resolved;
}

/** An object; the second name under which responses repeat a value is a field that may be left out. */
export function objectShape(spec: ObjectSpec, direction: ValueDirection): ObjectShape {
  return {
    kind: "object",
    fields: spec.fields.flatMap((field) => fieldShapes(field, direction)),
    ...fieldGroups(spec),
    closed: true,
  };
}

function fieldShapes(spec: FieldSpec, direction: ValueDirection): readonly FieldShape[] {
  const shape = valueShape(spec.shape, direction);
  const field: FieldShape = {
    name: spec.name.value,
    shape,
    presence: presenceOf(spec),
    spellings: direction === "response" ? [] : spec.spellings.map(({ value }) => value),
    decisions: [],
  };
  if (direction === "request" || spec.alsoSentAs === undefined) return [field];
  return [field, { ...field, name: spec.alsoSentAs.value, presence: { kind: "optional" }, spellings: [] }];
}

export function presenceOf(spec: FieldSpec): FieldShape["presence"] {
  if (spec.requiredWhen !== undefined) {
    const { field, is } = spec.requiredWhen;
    return { kind: "required-when", field: field.value, values: is.map((literal) => literal.value) };
  }
  return { kind: spec.optional === undefined ? "required" : "optional" };
}
