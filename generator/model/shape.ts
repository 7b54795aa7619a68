import type * as suite from "../../conformance/suite/shape.ts";
import type { Documented } from "./documented.ts";

export type {
  NumberShape,
  PathGroup,
  Presence,
  RefShape,
  StringShape,
  TaggedShape,
} from "../../conformance/suite/shape.ts";
export type { StringFormat } from "../../conformance/suite/shape.ts";

/** The shape of a value, with the documentation of its fields. Resolve a `ref` with `typeOf(model, ref)`. */
export type Shape = suite.Shape<FieldModel, EnumValue>;

export type ObjectTypeShape = suite.ObjectShape<FieldModel>;

export type UnionShape = suite.UnionShape<Shape>;

export type EnumShape = suite.EnumShape<EnumValue>;

export interface EnumValue extends suite.EnumMember, Documented {
  /** The value it had on the wire. */
  readonly renamedFrom?: string;
}

export interface FieldModel extends suite.FieldShape, Documented {
  readonly shape: Shape;
  /** The value that stands for an absent one: the runtime fills it into parameters. Such a field is optional. */
  readonly default?: unknown;
  /** The name it had on the wire. */
  readonly renamedFrom?: string;
  /** What forms call it; absent: words made of its name. */
  readonly label?: string;
  readonly sensitive: boolean;
}
