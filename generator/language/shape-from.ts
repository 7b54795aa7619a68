import type { NumberShape, StringShape } from "../../conformance/suite/shape.ts";
import { omitUndefined } from "../../conformance/omit-undefined.ts";
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

/** How a shape of a spec is written for one reader: the reference check of values, or the model. */
export interface ShapeNotation<S> {
  readonly objectShape: (spec: ObjectSpec) => S;
  readonly enumShape: (spec: EnumSpec) => S;
  /** A shape that has failed its check. */
  readonly unknownShape: () => S;
  /** The shape itself: the types of both notations agree here. */
  readonly written: (shape: CommonShape<S>) => S;
}

/** Shapes that every notation writes alike. */
export type CommonShape<S> =
  | ScalarShape
  | { readonly kind: "null" | "json" }
  | { readonly kind: "ref"; readonly type: string }
  | {
      readonly kind: "array";
      readonly items: S;
      readonly itemsMin?: number;
      readonly itemsMax?: number;
      readonly unique: boolean;
    }
  | { readonly kind: "map"; readonly values: S; readonly keys?: S }
  | { readonly kind: "tuple"; readonly items: readonly S[] }
  | { readonly kind: "union"; readonly alternatives: readonly S[]; readonly exactlyOne: boolean }
  | { readonly kind: "nullable"; readonly shape: S }
  | {
      readonly kind: "tagged";
      readonly discriminator: string;
      readonly cases: readonly { readonly tag: string; readonly shape: TypeReference }[];
    };

interface TypeReference {
  readonly kind: "ref";
  readonly type: string;
}

/** Writes a shape of a spec in a notation. The one walk over shapes of a spec that makes other shapes. */
export function shapeFrom<S>(spec: ShapeSpec, notation: ShapeNotation<S>): S {
  const { written } = notation;
  const inner = (part: ShapeSpec): S => shapeFrom(part, notation);
  switch (spec.kind) {
    case "scalar":
      return written(scalarShape(spec));
    case "enum":
      return notation.enumShape(spec);
    case "object":
      return notation.objectShape(spec);
    case "array":
      return written({
        kind: "array",
        items: inner(spec.items),
        ...omitUndefined({ itemsMin: numberOf(spec, "minItems"), itemsMax: numberOf(spec, "maxItems") }),
        unique: isUnique(spec),
      });
    case "map": {
      const values = inner(spec.values);
      return written(
        spec.keys === undefined ? { kind: "map", values } : { kind: "map", values, keys: inner(spec.keys) },
      );
    }
    case "tuple":
      return written({ kind: "tuple", items: spec.items.map(inner) });
    case "union":
      return unionShape(spec, notation);
    case "tagged":
      return written({
        kind: "tagged",
        discriminator: spec.discriminator.value,
        cases: spec.cases.map(({ tag, shape }) => ({ tag: tag.value, shape: reference(shape) })),
      });
    case "ref":
      return written(reference(spec));
    case "null":
    case "json":
      return written({ kind: spec.kind });
    case "unknown":
      return notation.unknownShape();
  }
}

/** `T|null` is its own kind; of several alternatives with null, all but null are one union. */
function unionShape<S>({ alternatives, exactlyOne }: UnionSpec, notation: ShapeNotation<S>): S {
  const { written } = notation;
  const others = alternatives.filter(({ kind }) => kind !== "null").map((each) => shapeFrom(each, notation));
  const [only, ...more] = others;
  if (only === undefined) return written({ kind: "null" });
  const shape =
    more.length === 0
      ? only
      : written({ kind: "union", alternatives: others, exactlyOne: exactlyOne !== undefined });
  return others.length === alternatives.length ? shape : written({ kind: "nullable", shape });
}

function reference({ type }: RefSpec): TypeReference {
  return { kind: "ref", type: type.value };
}

type ScalarShape =
  | StringShape
  | (NumberShape & { readonly kind: "number" | "integer" | "money" | "bigint" })
  | { readonly kind: "boolean"; readonly const?: boolean };

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
