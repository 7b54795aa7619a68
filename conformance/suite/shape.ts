import type { SpecReference } from "./level.ts";

/**
 * The shape of a JSON value. A suite needs of fields and of values of enums only what decides whether a value fits; the
 * service model puts its own in their place, with everything that code and pages say of them.
 */
export type Shape<Field = FieldShape, Value = EnumMember> =
  | ScalarShape
  | EnumShape<Value>
  | ObjectShape<Field>
  | ArrayShape<Shape<Field, Value>>
  | NullableShape<Shape<Field, Value>>
  | UnionShape<Shape<Field, Value>>
  | TaggedShape
  | MapShape<Shape<Field, Value>>
  | TupleShape<Shape<Field, Value>>
  | RefShape
  | { readonly kind: "null" }
  /** Any JSON value. */
  | { readonly kind: "json" };

export type ResolvedShape = Exclude<Shape, { readonly kind: "ref" }>;

export type ScalarShape = StringShape | NumberShape | { readonly kind: "boolean"; readonly const?: boolean };

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

export interface EnumShape<Value = EnumMember> {
  readonly kind: "enum";
  /** Whether answers and events may hold other values, which a later revision adds. */
  readonly open?: true;
  readonly values: readonly Value[];
}

export interface EnumMember {
  /** A text, or in interfaces of JSON-RPC 2.0 an integer. */
  readonly value: string | number;
}

/** A value, or null. */
export interface NullableShape<Part> {
  readonly kind: "nullable";
  readonly shape: Part;
}

/** A value of one of several shapes, or, with `exactlyOne`, of no more than one of them. */
export interface UnionShape<Part = Shape> {
  readonly kind: "union";
  readonly alternatives: readonly Part[];
  readonly exactlyOne: boolean;
}

/** Objects that the text of a member distinguishes. Each case is an object type. */
export interface TaggedShape {
  readonly kind: "tagged";
  readonly discriminator: string;
  readonly cases: readonly { readonly tag: string; readonly shape: RefShape }[];
}

/** An object of any names; each name fits `keys`, each value fits `values`. */
export interface MapShape<Part = Shape> {
  readonly kind: "map";
  readonly values: Part;
  readonly keys?: Part;
}

/** An array with a shape for each place. */
export interface TupleShape<Part> {
  readonly kind: "tuple";
  readonly items: readonly Part[];
}

export interface ArrayShape<Part = Shape> {
  readonly kind: "array";
  readonly items: Part;
  readonly itemsMin?: number;
  readonly itemsMax?: number;
  readonly unique: boolean;
}

/** A use of a named type. */
export interface RefShape {
  readonly kind: "ref";
  readonly type: string;
}

/** Paths of names, each through objects within the one that has the group. */
export type PathGroup = readonly (readonly string[])[];

export interface ObjectShape<Field = FieldShape> {
  readonly kind: "object";
  readonly fields: readonly Field[];
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

export interface FieldShape extends SpecReference {
  /** The canonical wire name. */
  readonly name: string;
  readonly shape: Shape;
  readonly presence: Presence;
  /** Further names accepted in requests (the document's examples write them). */
  readonly spellings: readonly string[];
  /** The second name under which responses repeat the value. */
  readonly alsoSentAs?: string;
  /** The sample that it is of the object it stands in, or that the call is about. */
  readonly identifies?: string;
  /** The sample that it is of another object. */
  readonly refersTo?: string;
  /** Never shown, logged or echoed. */
  readonly sensitive?: boolean;
  /** The spec's own value of it: not every text of its type will do. */
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

/** The formats that a text can have, each with what a text of it is, in words: the one list of them. */
export const stringFormats = {
  timestamp: "a UTC time with milliseconds, such as 2026-03-01T09:30:00.000Z",
  "offset-timestamp": "an RFC 3339 time, such as 2026-03-01T09:30:00+02:00",
  date: "a date of the calendar, written YYYYMMDD",
  "year-month": "a month, written YYYY-MM",
  pem: "one PEM block",
  base64: "standard base64 with padding",
  url: "an absolute http or https URL",
  uuid: "a UUID, such as 0190a6c2-7d1e-7b3a-9c4f-2f6d8e5b1a07",
  uri: "a URI with its scheme (RFC 3986)",
  "uri-reference": "a URI or a relative reference (RFC 3986)",
  email: "an e-mail address, such as ada@example.com",
  /** Upper or lower case, leap seconds included. */
  "date-time": "an RFC 3339 time, such as 2026-03-01T09:30:00Z",
  "iso-date": "a date of the calendar, written YYYY-MM-DD",
  time: "a time of day with its offset, such as 09:30:00Z",
  duration: "an RFC 3339 duration, such as P1DT12H",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  hostname: "a host name (RFC 1123)",
  "json-pointer": "a JSON Pointer (RFC 6901)",
} as const;

export type StringFormat = keyof typeof stringFormats;

export function isStringFormat(name: string): name is StringFormat {
  return Object.hasOwn(stringFormats, name);
}
