import type { SpecReference } from "./level.ts";
import type { StringFormat } from "./string-formats.ts";

/** The shape of a JSON value: what is left of the service model's when only values matter. */
export type Shape =
  | StringShape
  | NumberShape
  | { readonly kind: "boolean"; readonly const?: boolean }
  | EnumShape
  | ObjectShape
  | ArrayShape
  | { readonly kind: "null" }
  | { readonly kind: "nullable"; readonly shape: Shape }
  | UnionShape
  | TaggedShape
  | MapShape
  | { readonly kind: "tuple"; readonly items: readonly Shape[] }
  /** Any JSON value. */
  | { readonly kind: "json" }
  | { readonly kind: "ref"; readonly type: string };

export type ResolvedShape = Exclude<Shape, { readonly kind: "ref" }>;

export interface StringShape {
  readonly kind: "string";
  readonly format?: StringFormat;
  readonly const?: string;
  /** In Unicode code points. */
  readonly lengthMin?: number;
  readonly lengthMax?: number;
  /** ECMAScript source, matched with the `u` flag; anchored by its author. */
  readonly pattern?: string;
}

export interface NumberShape {
  readonly kind: "number" | "integer" | "money" | "bigint";
  readonly const?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Bounds that the value itself may not be. */
  readonly above?: number;
  readonly below?: number;
}

/** Any of several shapes; `exactlyOne`: no two at once. */
export interface UnionShape {
  readonly kind: "union";
  readonly alternatives: readonly Shape[];
  readonly exactlyOne: boolean;
}

/** Objects of several shapes, distinguished by the value of one member. */
export interface TaggedShape {
  readonly kind: "tagged";
  readonly discriminator: string;
  readonly cases: readonly { readonly tag: string; readonly shape: Shape }[];
}

/** An object whose members all have one shape. */
export interface MapShape {
  readonly kind: "map";
  readonly values: Shape;
  readonly keys?: Shape;
}

export interface ArrayShape {
  readonly kind: "array";
  readonly items: Shape;
  readonly itemsMin?: number;
  readonly itemsMax?: number;
  readonly unique: boolean;
}

/** Paths of names, each through objects within the one that has the group. */
export type PathGroup = readonly (readonly string[])[];

export interface EnumShape {
  readonly kind: "enum";
  /** Whether answers and events may hold other values. */
  readonly open?: true;
  readonly values: readonly { readonly value: string | number }[];
}

export interface ObjectShape {
  readonly kind: "object";
  readonly fields: readonly FieldShape[];
  readonly atLeastOneOf: readonly (readonly string[])[];
  /** Each group: at least one of these paths of fields leads to a value. Groups of names alone are in `atLeastOneOf`. */
  readonly atLeastOnePath?: readonly PathGroup[];
  readonly exactlyOneOf: readonly (readonly string[])[];
  /** Each group: exactly one of these paths of fields leads to a value. */
  readonly exactlyOnePath?: readonly PathGroup[];
  /** Members that no field declares are refused. */
  readonly closed?: true;
}

export interface FieldShape extends SpecReference {
  readonly name: string;
  readonly shape: Shape;
  readonly presence:
    | { readonly kind: "required" }
    | { readonly kind: "optional" }
    | {
        readonly kind: "required-when";
        readonly field: string;
        readonly values: readonly (string | boolean)[];
      };
  readonly spellings: readonly string[];
  readonly alsoSentAs?: string;
  readonly identifies?: string;
  readonly refersTo?: string;
  /** Never shown. */
  readonly sensitive?: boolean;
  /** The spec's own value of it: not every text of its type will do. */
  readonly example?: unknown;
}

/** An object shape as it is; one without fields in place of any other. */
export function objectOf(shape: Shape): ObjectShape {
  return shape.kind === "object" ? shape : { kind: "object", fields: [], atLeastOneOf: [], exactlyOneOf: [] };
}

export interface Reading {
  readonly direction: "request" | "response";
  /**
   * Whether it is a value as the author of a spec or a caller wrote it: `{{…}}` is ordinary text, not a placeholder.
   * Amounts have at most 15 significant digits (D-37), which validation leaves to the service.
   */
  readonly example?: true;
  /** A shape with references followed to their end. */
  resolve(shape: Shape): ResolvedShape;
}

/** The names under which a field travels: in what the service sends it may have two (D-12). */
export function wireNames({ name, alsoSentAs }: FieldShape, reading: Reading): readonly string[] {
  return reading.direction === "request" || alsoSentAs === undefined ? [name] : [name, alsoSentAs];
}

/** The groups of an object whose members are paths. */
export function pathGroups({
  atLeastOnePath = [],
  exactlyOnePath = [],
}: Pick<ObjectShape, "atLeastOnePath" | "exactlyOnePath">): readonly PathGroup[] {
  return [...atLeastOnePath, ...exactlyOnePath];
}
