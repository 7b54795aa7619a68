import type {
  FieldShape,
  NumberShape,
  ObjectShape,
  ResolvedShape,
  Shape,
  StringShape,
} from "../../conformance/suite/shape.ts";
import { omitUndefined } from "../source/omit-undefined.ts";
import { soundPattern } from "./patterns.ts";
import { resolveShape } from "./reach.ts";
import type { Scope } from "./scope.ts";
import type { ArraySpec, ConstraintSpec, FieldSpec, ObjectSpec, ScalarSpec, ShapeSpec } from "./spec.ts";

/** Which way a value travels; `any` for the example of a type or field, which may travel either way. */
export type ValueDirection = "request" | "response" | "any";

/**
 * What a spec says of a value, for the reference check of values. Of anything that is wrong or unknown in the spec,
 * `json`: it is not held against the value. Members that no field declares are refused.
 */
export function valueShape(spec: ShapeSpec, direction: ValueDirection): Shape {
  switch (spec.kind) {
    case "scalar":
      return scalarShape(spec);
    case "enum":
      return {
        kind: "enum",
        values: spec.values.map(({ value, integer }) => ({ value: integer ?? value.value })),
      };
    case "object":
      return objectShape(spec, direction);
    case "array":
      return omitUndefined({
        kind: "array",
        items: valueShape(spec.items, direction),
        itemsMin: numberOf(spec, "minItems"),
        itemsMax: numberOf(spec, "maxItems"),
        unique: isUnique(spec),
      });
    case "map":
      return omitUndefined({
        kind: "map",
        values: valueShape(spec.values, direction),
        keys: spec.keys && valueShape(spec.keys, direction),
      });
    case "tuple":
      return { kind: "tuple", items: spec.items.map((item) => valueShape(item, direction)) };
    case "union":
      return unionShape(
        spec.alternatives.map((each) => valueShape(each, direction)),
        spec.exactlyOne !== undefined,
      );
    case "tagged":
      return {
        kind: "tagged",
        discriminator: spec.discriminator.value,
        cases: spec.cases.map(({ tag, shape }) => ({ tag: tag.value, shape: valueShape(shape, direction) })),
      };
    case "ref":
      return { kind: "ref", type: spec.type.value };
    case "null":
      return { kind: "null" };
    case "json":
    case "unknown":
      return { kind: "json" };
  }
}

/** The shape at the end of a chain of names. */
export function resolvedValueShape(shape: Shape, scope: Scope, direction: ValueDirection): ResolvedShape {
  if (shape.kind !== "ref") return shape;
  const type = scope.types.get(shape.type);
  const spec = type && resolveShape(type.shape, scope);
  const resolved = spec && valueShape(spec, direction);
  return resolved === undefined || resolved.kind === "ref" ? { kind: "json" } : resolved;
}

/** A value with null among its alternatives is near to the others alone. */
function unionShape(alternatives: readonly Shape[], exactlyOne: boolean): Shape {
  const others = alternatives.filter(({ kind }) => kind !== "null");
  const [only, ...more] = others;
  if (only === undefined) return { kind: "null" };
  const shape: Shape = more.length === 0 ? only : { kind: "union", alternatives: others, exactlyOne };
  return others.length === alternatives.length ? shape : { kind: "nullable", shape };
}

/** An object; the second name under which responses repeat a value is a field that may be left out. */
export function objectShape(spec: ObjectSpec, direction: ValueDirection): ObjectShape {
  return {
    kind: "object",
    fields: spec.fields.flatMap((field) => fieldShapes(field, direction)),
    atLeastOneOf: spec.atLeastOneOf.map((group) => group.map((name) => name.value)),
    exactlyOneOf: spec.exactlyOneOf.map((group) => group.map((name) => name.value)),
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

type ScalarShape =
  | StringShape
  | (NumberShape & { readonly kind: "number" | "integer" | "money" })
  | { readonly kind: "boolean"; readonly const?: boolean };

export function scalarShape(spec: ScalarSpec): ScalarShape {
  const { scalar } = spec;
  switch (scalar) {
    case "boolean":
      return omitUndefined({ kind: "boolean", const: booleanOf(spec, "const") });
    case "number":
    case "integer":
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
    pattern: soundPattern(textOf(spec, "pattern")),
  });
}

interface Constrained {
  readonly constraints: readonly ConstraintSpec[];
}

export function isUnique(spec: ArraySpec): boolean {
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
