import { isStringFormat, stringFormats, type StringFormat } from "../../conformance/suite/string-formats.ts";
import type { Span } from "../source/index.ts";
import type { Node } from "../syntax/index.ts";
import type { Protocol } from "./structure/protocols.ts";

/** A value and where it is written. */
export interface Located<T> {
  readonly value: T;
  readonly span: Span;
}

export type Name = Located<string>;

/**
 * What the files of one folder say, merged. What could not be read is absent or `unknown`: it has been reported, and
 * nothing that depends on it is reported again.
 */
export interface Spec {
  readonly folder: string;
  readonly interfaces: readonly InterfaceSpec[];
  readonly types: readonly TypeSpec[];
  readonly methods: readonly MethodSpec[];
  readonly errors: readonly ErrorSpec[];
  readonly events: readonly EventSpec[];
  readonly states: readonly StateMachineSpec[];
  readonly rules: readonly RuleSpec[];
  readonly resources: readonly ResourceSpec[];
  readonly scenarios: readonly ScenarioSpec[];
  readonly requirements: readonly RequirementSpec[];
  /** The types that objects of it include; absent where none does. */
  readonly included?: ReadonlySet<string>;
}

/** The common keys. `span` is that of the name or the key. */
export interface DocumentedSpec {
  readonly doc: string;
  readonly section?: string;
  readonly decisions: readonly string[];
  readonly since?: Located<string>;
  readonly deprecated?: string;
  /** The `x-…` keys, as plain JSON. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  readonly span: Span;
}

export interface InterfaceSpec extends DocumentedSpec {
  readonly name: string;
  readonly title: string;
  readonly revision: string;
  readonly path: string;
  readonly wire: WireSpec;
  readonly uses: readonly Name[];
  readonly serves: readonly ServesSpec[];
  readonly services: readonly ServiceSpec[];
  readonly auth?: AuthSpec;
  readonly faults?: FaultsSpec;
  readonly schemes: readonly SchemeSpec[];
  /** What every method asks for that says nothing else. */
  readonly security?: SecuritySpec;
}

/** An authentication scheme. */
export interface SchemeSpec extends DocumentedSpec {
  readonly name: Name;
  readonly kind?: Name;
  /** Every key but those of all schemes, as written. */
  readonly options: readonly { readonly name: Name; readonly value: Node }[];
}

/** Alternatives, of which one has to hold; none: open. */
export interface SecuritySpec {
  readonly span: Span;
  readonly alternatives: readonly SecurityAlternativeSpec[];
}

/** Schemes that all have to hold; none: authentication is optional. */
export interface SecurityAlternativeSpec {
  readonly span: Span;
  readonly schemes: readonly { readonly scheme: Name; readonly scopes: readonly Name[] }[];
}

/** How the parameters of a method may be written. */
export type ParamsStyle = "by-name" | "by-position" | "either";

/** Whether a method may be called without an answer. */
export type Notify = "never" | "allowed" | "only";

/** How calls travel. What is absent has a default of the protocol. */
export interface WireSpec {
  /** Of the key `wire`, where there is one. */
  readonly span?: Span;
  readonly protocol: Protocol;
  readonly params?: Located<ParamsStyle>;
  readonly http?: {
    readonly span: Span;
    readonly path?: string;
    readonly status?: "ok" | "mapped";
    readonly notified?: number;
  };
  readonly batch?: boolean | { readonly max: number };
  readonly transports?: readonly Name[];
}

/** An earlier revision that is still served. */
export interface ServesSpec {
  readonly revision: Name;
  /** Folder of its spec, relative to this one's. */
  readonly spec: Name;
  readonly section?: string;
  readonly decisions: readonly string[];
}

export interface ServiceSpec extends DocumentedSpec {
  readonly name: Name;
}

export interface AuthSpec {
  readonly span: Span;
  readonly scheme?: Name;
  readonly members: readonly (DocumentedSpec & { readonly name: Name; readonly missing?: Name })[];
  readonly headers: readonly (DocumentedSpec & { readonly name: Name; readonly format: string })[];
}

export interface FaultsSpec {
  readonly span: Span;
  readonly codes: readonly { readonly fault: Name; readonly code: Name }[];
}

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
  "boolean",
  "money",
  ...Object.keys(stringFormats).filter(isStringFormat),
];

export type ScalarType = "string" | "number" | "integer" | "boolean" | "money" | StringFormat;

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

/** Objects that are told apart by a member: `oneOf: {discriminator, cases}`. */
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
  /** What an absent value means. */
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
  readonly sensitive: boolean;
  readonly example?: Node;
}

export type PayloadSpec =
  | ObjectSpec
  | RefSpec
  | UnknownSpec
  | {
      readonly kind: "forms";
      readonly span: Span;
      readonly selectedBy: Name;
      readonly forms: readonly FormSpec[];
    };

export interface FormSpec extends DocumentedSpec {
  readonly name: Name;
  readonly shape: ObjectSpec;
}

export interface MethodSpec extends DocumentedSpec {
  readonly name: Name;
  readonly effect: Located<"read" | "set" | "create">;
  readonly params?: Located<ParamsStyle>;
  readonly notify?: Located<Notify>;
  readonly auth?: { readonly span: Span; readonly members: readonly Name[] };
  readonly security?: SecuritySpec;
  readonly jsonrpc?: Located<"present" | "absent">;
  readonly flat?: { readonly span: Span; readonly selectedBy: readonly Name[] };
  readonly payload: PayloadSpec;
  readonly result: ShapeSpec;
  readonly errors: readonly MethodErrorSpec[];
  readonly emits: readonly Name[];
  readonly paging?: PagingSpec;
  readonly registersKey?: { readonly publicKey: Name; readonly keyId: Name };
  readonly renamedFrom?: Name;
  readonly examples: readonly ExampleSpec[];
}

/** Names of the fields that page a list. */
export interface PagingSpec {
  readonly page: Name;
  readonly size?: Name;
  readonly sizeMax?: number;
  readonly filter?: Name;
  readonly items: Name;
}

export interface MethodErrorSpec {
  readonly code: Name;
  readonly message?: Located<string>;
  readonly condition?: string;
  readonly section?: string;
}

export interface ExampleSpec {
  readonly name: string;
  readonly span: Span;
  readonly payload?: Node;
  readonly result?: Node;
  readonly error?: Name;
}

export interface ErrorSpec extends DocumentedSpec {
  readonly code: Name;
  readonly message: Located<string>;
  readonly condition: string;
  readonly action: string;
  readonly httpStatus: number;
  /** The integer on the wire, or beside the code in the signed envelope. */
  readonly rpcCode: Located<number>;
  /** What `error.code` is in the signed envelope instead of the name. */
  readonly wireCode?: Located<number>;
  readonly data?: ShapeSpec;
  readonly everyMethod: boolean;
  readonly renamedFrom?: Name;
}

export interface EventSpec extends DocumentedSpec {
  readonly name: Name;
  readonly payload: ObjectSpec | RefSpec | UnknownSpec;
  readonly otherCauses: readonly string[];
  readonly renamedFrom?: Name;
}

export interface StateMachineSpec extends DocumentedSpec {
  readonly name: Name;
  readonly type: Name;
  readonly transitions: readonly TransitionSpec[];
}

export interface TransitionSpec extends DocumentedSpec {
  readonly from: Name;
  readonly to: Name;
  readonly by?: Name;
  readonly condition?: string;
  readonly effects: readonly string[];
}

export interface RuleSpec extends DocumentedSpec {
  readonly id: Name;
}

export interface ResourceSpec extends DocumentedSpec {
  readonly name: Name;
  readonly absent?: Name;
  readonly samples: readonly { readonly name: Name; readonly doc: string }[];
  readonly made?: { readonly steps: readonly Node[]; readonly gives: readonly (readonly [Name, string])[] };
}

export interface ScenarioSpec extends DocumentedSpec {
  readonly name: Name;
  readonly about: readonly Name[];
  readonly level?: string;
  readonly alone: boolean;
  readonly steps: readonly Node[];
}

export interface RequirementSpec extends DocumentedSpec {
  readonly id: Name;
  /** Packed ids. */
  readonly cases: readonly Name[];
  readonly untested?: string;
}
