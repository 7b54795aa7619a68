import type {
  EnumShape,
  FieldShape,
  ObjectShape,
  RefShape,
  ResolvedShape,
  ScalarShape,
  Shape,
  StringShape,
} from "../../conformance/suite/shape.ts";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import type {
  ArraySpec,
  ConstraintSpec,
  EnumSpec,
  FieldSpec,
  ObjectSpec,
  RefSpec,
  ScalarSpec,
  ShapeSpec,
  UnionSpec,
} from "./spec.ts";
import { fieldGroups } from "./shape-parts.ts";
import { soundPattern } from "./patterns/patterns.ts";
import { resolveShape } from "./references/reach.ts";
import type { Scope } from "./references/scope.ts";

/** What a reader makes of the parts of a shape that differ: the reference check of values, or the model. */
export interface ShapeReader<Field, Value> {
  objectShape(spec: ObjectSpec): ObjectShape<Field>;
  enumShape(spec: EnumSpec): EnumShape<Value>;
  scalarShape(spec: ScalarSpec): ScalarShape;
  /** A shape that has failed its check. */
  unknownShape(): Shape<Field, Value>;
}

/** The shape that a spec describes. The one walk over shapes of a spec that makes other shapes. */
export function shapeFrom<Field, Value>(
  spec: ShapeSpec,
  reader: ShapeReader<Field, Value>,
): Shape<Field, Value> {
  const inner = (part: ShapeSpec): Shape<Field, Value> => shapeFrom(part, reader);
  switch (spec.kind) {
    case "scalar":
      return reader.scalarShape(spec);
    case "enum":
      return reader.enumShape(spec);
    case "object":
      return reader.objectShape(spec);
    case "array":
      return {
        kind: "array",
        items: inner(spec.items),
        ...omitUndefined({ itemsMin: numberOf(spec, "minItems"), itemsMax: numberOf(spec, "maxItems") }),
        unique: isUnique(spec),
      };
    case "map": {
      const values = inner(spec.values);
      return spec.keys === undefined
        ? { kind: "map", values }
        : { kind: "map", values, keys: inner(spec.keys) };
    }
    case "tuple":
      return { kind: "tuple", items: spec.items.map(inner) };
    case "union":
      return unionShape(spec, inner);
    case "tagged":
      return {
        kind: "tagged",
        discriminator: spec.discriminator.value,
        cases: spec.cases.map(({ tag, shape }) => ({ tag: tag.value, shape: reference(shape) })),
      };
    case "ref":
      return reference(spec);
    case "null":
    case "json":
      return { kind: spec.kind };
    case "unknown":
      return reader.unknownShape();
  }
}

/** `T|null` is its own kind; of several alternatives with null, all but null are one union. */
function unionShape<Field, Value>(
  { alternatives, exactlyOne }: UnionSpec,
  inner: (part: ShapeSpec) => Shape<Field, Value>,
): Shape<Field, Value> {
  const others = alternatives.filter(({ kind }) => kind !== "null").map(inner);
  const [only, ...more] = others;
  if (only === undefined) return { kind: "null" };
  const shape: Shape<Field, Value> =
    more.length === 0 ? only : { kind: "union", alternatives: others, exactlyOne: exactlyOne !== undefined };
  return others.length === alternatives.length ? shape : { kind: "nullable", shape };
}

function reference({ type }: RefSpec): RefShape {
  return { kind: "ref", type: type.value };
}

export function scalarShape(spec: ScalarSpec): ScalarShape {
  const { scalar } = spec;
  switch (scalar) {
    case "boolean":
      return omitUndefined({ kind: "boolean", const: booleanOf(spec, "const") });
    case "number":
    case "integer":
    case "bigint":
    case "money":
      return omitUndefined({
        kind: scalar,
        const: numberOf(spec, "const"),
        minimum: numberOf(spec, "minimum"),
        maximum: numberOf(spec, "maximum"),
        above: numberOf(spec, "above"),
        below: numberOf(spec, "below"),
      });
    case "string":
      return stringShape(spec);
    default:
      return { ...stringShape(spec), format: scalar };
  }
}

function stringShape(spec: ScalarSpec): StringShape {
  return omitUndefined({
    kind: "string",
    const: textOf(spec, "const"),
    lengthMin: numberOf(spec, "minLength"),
    lengthMax: numberOf(spec, "maxLength"),
    pattern: textOf(spec, "pattern"),
  });
}

interface Constrained {
  readonly constraints: readonly ConstraintSpec[];
}

function isUnique(spec: ArraySpec): boolean {
  return constraintOf(spec, "uniqueItems") === true;
}

export function numberOf(spec: Constrained, key: string): number | undefined {
  const value = constraintOf(spec, key);
  return typeof value === "number" ? value : undefined;
}

function textOf(spec: Constrained, key: string): string | undefined {
  const value = constraintOf(spec, key);
  return typeof value === "string" ? value : undefined;
}

function booleanOf(spec: Constrained, key: string): boolean | undefined {
  const value = constraintOf(spec, key);
  return typeof value === "boolean" ? value : undefined;
}

function constraintOf({ constraints }: Constrained, key: string): ConstraintSpec["value"] | undefined {
  return constraints.find((constraint) => constraint.key === key)?.value;
}

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
