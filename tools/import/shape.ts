import type { Json } from "./json.ts";

/** A type of the spec language as the import builds it: what {@link typeText} prints. */
export type Shape = ShapeKind & Remarks;

export type ShapeKind =
  | { readonly kind: "scalar"; readonly type: ScalarName; readonly constraints: Constraints }
  | { readonly kind: "enum"; readonly values: readonly (string | number)[] }
  | { readonly kind: "ref"; readonly type: string }
  | { readonly kind: "nullable"; readonly shape: Shape }
  | { readonly kind: "union"; readonly alternatives: readonly Shape[]; readonly exactlyOne: boolean }
  | { readonly kind: "array"; readonly items: Shape; readonly constraints: Constraints }
  | { readonly kind: "tuple"; readonly items: readonly Shape[] }
  | { readonly kind: "map"; readonly values: Shape; readonly keys?: Shape }
  | ObjectShape;

export interface ObjectShape {
  readonly kind: "object";
  readonly includes: readonly string[];
  readonly fields: readonly Field[];
  readonly closed: boolean;
  readonly atLeastOneOf: readonly (readonly string[])[];
  readonly exactlyOneOf: readonly (readonly string[])[];
}

export type ScalarName = string;

export type Constraints = Readonly<Record<string, string | number | boolean>>;

export interface Field {
  readonly name: string;
  /** Also where {@link requiredWhen} is there. */
  readonly optional: boolean;
  readonly requiredWhen?: Condition;
  readonly shape: Shape;
}

/** Another member has one of some values. */
export interface Condition {
  readonly field: string;
  readonly is: readonly (string | boolean)[];
}

/** The documentation of a shape, apart from the values that it accepts. */
export interface Remarks {
  readonly doc?: string;
  readonly deprecated?: string;
  readonly default?: Json;
  readonly example?: Json;
  /** `x-…` keys. */
  readonly extensions?: Readonly<Record<string, Json>>;
}

/** The shape that takes any value; also for a part that the language cannot express. */
export const anything: Shape = { kind: "scalar", type: "json", constraints: {} };

export const nothingButNull: Shape = { kind: "scalar", type: "null", constraints: {} };

export function scalar(type: ScalarName, constraints: Constraints = {}): Shape {
  return { kind: "scalar", type, constraints };
}

/** The shape without its remarks. */
export function bare(shape: Shape): Shape {
  const {
    doc: _doc,
    deprecated: _deprecated,
    default: _default,
    example: _example,
    extensions: _own,
    ...kind
  } = shape;
  return kind;
}

/** Names of the types that a shape is made of. */
export function typesIn(shape: Shape): readonly string[] {
  switch (shape.kind) {
    case "scalar":
    case "enum":
      return [];
    case "ref":
      return [shape.type];
    case "nullable":
      return typesIn(shape.shape);
    case "union":
      return shape.alternatives.flatMap(typesIn);
    case "array":
      return typesIn(shape.items);
    case "tuple":
      return shape.items.flatMap(typesIn);
    case "map":
      return [shape.values, ...(shape.keys === undefined ? [] : [shape.keys])].flatMap(typesIn);
    case "object":
      return [...shape.includes, ...shape.fields.flatMap((field) => typesIn(field.shape))];
  }
}

export function isNull(shape: Shape): boolean {
  return shape.kind === "scalar" && shape.type === "null";
}
