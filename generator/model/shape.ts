import type { StringFormat } from "../../conformance/suite/string-formats.ts";
import type { PathGroup, StringShape } from "../../conformance/suite/shape.ts";
import type { Documented } from "./documented.ts";

export type { PathGroup, StringFormat, StringShape };

export type Shape =
  | StringShape
  | NumberShape
  | { readonly kind: "boolean"; readonly const?: boolean }
  | EnumShape
  | ObjectTypeShape
  | ArrayShape
  | RefShape
  | { readonly kind: "null" }
  | NullableShape
  | UnionShape
  | TaggedShape
  | MapShape
  | TupleShape
  /** Any JSON value. */
  | { readonly kind: "json" };

/** A value, or null. */
export interface NullableShape {
  readonly kind: "nullable";
  readonly shape: Shape;
}

/** A value of one of several shapes, or, with `exactlyOne`, of no more than one of them. */
export interface UnionShape {
  readonly kind: "union";
  readonly alternatives: readonly Shape[];
  readonly exactlyOne: boolean;
}

/** Objects that the text of a member distinguishes. Each case is an object type. */
export interface TaggedShape {
  readonly kind: "tagged";
  readonly discriminator: string;
  readonly cases: readonly { readonly tag: string; readonly shape: RefShape }[];
}

/** An object of any names; each name fits `keys`, each value fits `values`. */
export interface MapShape {
  readonly kind: "map";
  readonly values: Shape;
  readonly keys?: Shape;
}

/** An array with a shape for each place. */
export interface TupleShape {
  readonly kind: "tuple";
  readonly items: readonly Shape[];
}

export interface NumberShape {
  /**
   * `money` is a decimal whose digits must survive: at most 15 significant digits (D-37). `bigint` is an integer with as
   * many digits as were sent.
   */
  readonly kind: "number" | "integer" | "money" | "bigint";
  readonly const?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Values are greater than this. */
  readonly above?: number;
  /** Values are less than this. */
  readonly below?: number;
}

export interface EnumShape {
  readonly kind: "enum";
  /** Whether answers and events may hold other values, which a later revision adds. */
  readonly open?: true;
  readonly values: readonly EnumValue[];
}

export interface EnumValue extends Documented {
  /** A text, or in interfaces of JSON-RPC 2.0 an integer. */
  readonly value: string | number;
  /** The value it had on the wire. */
  readonly renamedFrom?: string;
}

export interface ArrayShape {
  readonly kind: "array";
  readonly items: Shape;
  readonly itemsMin?: number;
  readonly itemsMax?: number;
  readonly unique: boolean;
}

/** A use of a named type. Resolve with `typeOf(model, ref)`. */
export interface RefShape {
  readonly kind: "ref";
  readonly type: string;
}

export interface ObjectTypeShape {
  readonly kind: "object";
  readonly fields: readonly FieldModel[];
  /** Each group: at least one of these fields is present. */
  readonly atLeastOneOf: readonly (readonly string[])[];
  /** Each group: at least one of these paths of fields leads to a value. Groups of names alone are in `atLeastOneOf`. */
  readonly atLeastOnePath?: readonly PathGroup[];
  /** Each group: exactly one of these fields is present. */
  readonly exactlyOneOf: readonly (readonly string[])[];
  /** Each group: exactly one of these paths of fields leads to a value. */
  readonly exactlyOnePath?: readonly PathGroup[];
  /** Whether members that are not listed are refused; they are let through if absent. */
  readonly closed?: true;
}

export interface FieldModel extends Documented {
  /** The canonical wire name. */
  readonly name: string;
  readonly shape: Shape;
  readonly presence: Presence;
  /** The value that stands for an absent one: the runtime fills it into parameters. Such a field is optional. */
  readonly default?: unknown;
  /** Further names accepted in requests (the document's examples write them). */
  readonly spellings: readonly string[];
  /** The second name under which responses repeat the value. */
  readonly alsoSentAs?: string;
  /** The name it had on the wire. */
  readonly renamedFrom?: string;
  /** The sample that it is of the object it stands in, or that the call is about. */
  readonly identifies?: string;
  /** The sample that it is of another object. */
  readonly refersTo?: string;
  /** What forms call it; absent: words made of its name. */
  readonly label?: string;
  /** Never logged, never echoed. */
  readonly sensitive: boolean;
  readonly example?: unknown;
}

export type Presence =
  | { readonly kind: "required" }
  | { readonly kind: "optional" }
  /** Required when the sibling field has one of these values; optional otherwise. */
  | {
      readonly kind: "required-when";
      readonly field: string;
      readonly values: readonly (string | boolean)[];
    };
