import type { Span } from "./source/index.ts";
import type { Node } from "./syntax/index.ts";
import type { DocumentedSpec, Located, Name } from "./documented-spec.ts";
import type { ObjectSpec, RefSpec, ShapeSpec, UnknownSpec } from "./shape-spec.ts";

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
  /** Where it is not at the path of the interface. */
  readonly path?: Located<string>;
  readonly params?: Located<ParamsStyle>;
  readonly notify?: Located<Notify>;
  readonly auth?: { readonly span: Span; readonly members: readonly Name[] };
  readonly security?: SecuritySpec;
  readonly jsonrpc?: Located<"present" | "absent">;
  /** The pattern of its request ids, where it has one of its own. */
  readonly requestId?: Located<string>;
  readonly flat?: {
    readonly span: Span;
    /** None: every body at its own path is the operation. */
    readonly selectedBy: readonly Name[];
    /** Its place among the flat bodies that say one, which come before all others. */
    readonly order?: Located<number>;
  };
  readonly payload: PayloadSpec;
  readonly result: ShapeSpec;
  readonly errors: readonly MethodErrorSpec[];
  readonly emits: readonly Name[];
  readonly paging?: PagingSpec;
  readonly registersKey?: { readonly publicKey: Name; readonly keyId: Name };
  readonly renamedFrom?: Name;
  readonly examples: readonly ExampleSpec[];
}

/** Names of the fields that page a list, by the number of the page or by a cursor. */
export interface PagingSpec {
  readonly span: Span;
  readonly page?: Name;
  /** The number of the first page, where it is not the least that `page` takes, or 1. */
  readonly first?: number;
  readonly cursor?: Name;
  readonly next?: Name;
  readonly size?: Name;
  readonly sizeMax?: number;
  readonly filter?: Name;
  readonly items: Name;
  /** The error that is answered where a page has no items. */
  readonly empty?: Name;
  readonly name?: string;
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
  /** The `error.code` in the signed envelope, instead of the name: a number, or digits as text. */
  readonly wireCode?: Located<number | string>;
  readonly data?: ShapeSpec;
  readonly everyMethod: boolean;
  readonly renamedFrom?: Name;
}

export interface EventSpec extends DocumentedSpec {
  readonly name: Name;
  readonly payload: ObjectSpec | RefSpec | UnknownSpec;
  /** The member of its notification that holds the payload, where it is not `payload`. */
  readonly payloadName?: Name;
  /** Members of its notification beside those of every one. */
  readonly members: readonly EventMemberSpec[];
  readonly otherCauses: readonly string[];
  readonly renamedFrom?: Name;
}

/** A constant, or what a field of the payload holds. */
export interface EventMemberSpec extends DocumentedSpec {
  readonly name: Name;
  readonly repeats?: Name;
  readonly constant?: Located<string | number | boolean>;
  /** The values of a field of the payload with which it is there; with others it is absent. */
  readonly when?: { readonly field: Name; readonly is: readonly Located<string | boolean>[] };
}
