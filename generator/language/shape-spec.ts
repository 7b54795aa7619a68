import { isStringFormat, type StringFormat, stringFormats } from "../../conformance/suite/shape.ts";
import type { Span } from "./source/index.ts";
import type { Node } from "./syntax/index.ts";
import type { DocumentedSpec, Located, Name } from "./documented-spec.ts";

export interface TypeSpec extends DocumentedSpec {
  readonly name: Name;
  readonly shape: ShapeSpec;
  readonly renamedFrom?: Name;
  readonly example?: Node;
  /** Whether it stays though nothing uses it. */
  readonly keep?: true;
}

/** Types of values that are written as one JSON string, number or truth value. */
export const scalarTypes: readonly ScalarType[] = [
  "string",
  "number",
  "integer",
  "bigint",
  "boolean",
  "money",
  ...Object.keys(stringFormats).filter(isStringFormat),
];

export type ScalarType = "string" | "number" | "integer" | "bigint" | "boolean" | "money" | StringFormat;

/** A constraint as written; its value has the type that the schema asks of it. */
export interface ConstraintSpec {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: string | number | boolean;
  readonly span: Span;
}

interface ConstrainedSpec {
  /** Where the type is named. */
  readonly span: Span;
  readonly constraints: readonly ConstraintSpec[];
}

export interface ScalarSpec extends ConstrainedSpec {
  readonly kind: "scalar";
  readonly scalar: ScalarType;
}

export interface EnumSpec extends ConstrainedSpec {
  readonly kind: "enum";
  readonly values: readonly EnumValueSpec[];
}

export interface EnumValueSpec extends DocumentedSpec {
  /** As text, whatever it is on the wire. */
  readonly value: Name;
  /** The integer that it is on the wire. */
  readonly integer?: number;
  readonly renamedFrom?: Name;
}

export interface ArraySpec extends ConstrainedSpec {
  readonly kind: "array";
  readonly items: ShapeSpec;
}

export interface RefSpec extends ConstrainedSpec {
  readonly kind: "ref";
  readonly type: Name;
}

export interface ObjectSpec extends ConstrainedSpec {
  readonly kind: "object";
  readonly fields: readonly FieldSpec[];
  readonly atLeastOneOf: readonly FieldGroupSpec[];
  readonly exactlyOneOf: readonly FieldGroupSpec[];
  /** Whether members that are not listed are refused. */
  readonly closed?: true;
  /** The types whose fields it has too, until they are among its own. */
  readonly includes?: readonly Name[];
}

/** `null`, and nothing else: `none` as a result. */
export interface NullSpec extends ConstrainedSpec {
  readonly kind: "null";
}

/** Any JSON value. */
export interface JsonSpec extends ConstrainedSpec {
  readonly kind: "json";
}

/** An object of any names: `map of T`. */
export interface MapSpec extends ConstrainedSpec {
  readonly kind: "map";
  readonly values: ShapeSpec;
  readonly keys?: ShapeSpec;
}

/** An array with a type for each place: `tuple of [A, B]`. */
export interface TupleSpec extends ConstrainedSpec {
  readonly kind: "tuple";
  readonly items: readonly ShapeSpec[];
}

/** `A|B`, and `T|null`. */
export interface UnionSpec extends ConstrainedSpec {
  readonly kind: "union";
  readonly alternatives: readonly ShapeSpec[];
  /** Where `exactlyOne: true` is written. */
  readonly exactlyOne?: Span;
}

/** Objects that a member distinguishes: `oneOf: {discriminator, cases}`. */
export interface TaggedSpec extends ConstrainedSpec {
  readonly kind: "tagged";
  readonly discriminator: Name;
  readonly cases: readonly { readonly tag: Name; readonly shape: RefSpec }[];
}

export interface UnknownSpec {
  readonly kind: "unknown";
}

export type ShapeSpec =
  | ScalarSpec
  | EnumSpec
  | ArraySpec
  | RefSpec
  | ObjectSpec
  | NullSpec
  | JsonSpec
  | MapSpec
  | TupleSpec
  | UnionSpec
  | TaggedSpec
  | UnknownSpec;

export type FieldGroupSpec = readonly Name[];

export interface FieldSpec extends DocumentedSpec {
  readonly name: Name;
  readonly shape: ShapeSpec;
  /** Where `optional: true` is written, or a default that makes it so. */
  readonly optional?: Span;
  /** The meaning of an absent value. */
  readonly default?: Node;
  readonly requiredWhen?: {
    readonly span: Span;
    readonly field: Name;
    readonly is: readonly Located<string | boolean>[];
  };
  readonly spellings: readonly Name[];
  readonly alsoSentAs?: Name;
  readonly renamedFrom?: Name;
  readonly identifies?: Name;
  readonly refersTo?: Name;
  readonly label?: string;
  readonly sensitive: boolean;
  readonly example?: Node;
}
