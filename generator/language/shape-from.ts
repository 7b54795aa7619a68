import type {
  EnumShape,
  ObjectShape,
  RefShape,
  ScalarShape,
  Shape,
  StringShape,
} from "../../conformance/suite/shape.ts";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";
import type {
  ArraySpec,
  ConstraintSpec,
  EnumSpec,
  ObjectSpec,
  RefSpec,
  ScalarSpec,
  ShapeSpec,
  UnionSpec,
} from "./spec.ts";

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
