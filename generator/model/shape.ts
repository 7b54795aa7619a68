import type * as suite from "../../conformance/suite/shape.ts";
import type { DocumentedSpec } from "../language/index.ts";
import type { Span } from "../language/source/index.ts";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";

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

/** The documentation that every documented thing may have. */
export interface Documented {
  /** Prose, plain text; may hold anything, so emitters escape it. */
  readonly doc: string;
  /** Section of the document it comes from, such as `4.12`. */
  readonly section?: string;
  /** The decisions that settle what the document leaves open, such as `D-31`. */
  readonly decisions: readonly string[];
  readonly since?: string;
  /** Why and what instead; present when deprecated. */
  readonly deprecated?: string;
  /** What generated code calls it, where the spec says so. */
  readonly codeName?: string;
  /** The values of the spec's `x-…` keys, as plain JSON: exported documents carry them on. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  readonly span: Span;
}

/** The common keys, as the model carries them. */
export function documented(spec: DocumentedSpec): Documented {
  return omitUndefined({
    doc: spec.doc,
    section: spec.section,
    decisions: spec.decisions,
    since: spec.since?.value,
    deprecated: spec.deprecated,
    codeName: spec.codeName?.value,
    extensions: spec.extensions,
    span: spec.span,
  });
}
