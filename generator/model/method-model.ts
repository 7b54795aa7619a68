import type { HeldValue } from "../language/index.ts";
import type { Documented, ObjectTypeShape, Shape } from "./shape.ts";
import type { Names } from "./names.ts";

export interface MethodModel extends Documented {
  /** The wire name, `AccountService.GetAccount`; for a flat operation its name in the spec. */
  readonly name: string;
  /** The part after the dot. */
  readonly operation: string;
  readonly service?: string;
  readonly names: Names;
  readonly effect: "read" | "set" | "create";
  /** Its own path, where it is not at the interface's: `methodPath` gives either. */
  readonly path?: string;
  readonly transport:
    | EnvelopedTransportModel
    | FlatTransportModel
    | JsonRpcTransportModel
    | OwnTransportModel;
  /** Alternatives of which one has to hold, in the order of the spec; none: open, or secured by the envelope. */
  readonly security: readonly SecurityAlternativeModel[];
  readonly payload: PayloadModel;
  /** In the signed envelope an object, or one of several. `resultFields` gives the fields of one. */
  readonly result: Shape;
  /** The named type that the result is, where the spec names one; its fields are in `result` all the same. */
  readonly resultType?: string;
  readonly errors: readonly MethodErrorModel[];
  /** Names of the events it causes. */
  readonly emits: readonly string[];
  /** How its list is read page by page. */
  readonly paging?: PagingModel;
  /** The fields by which a key that signs becomes known. */
  readonly registersKey?: RegistersKeyModel;
  readonly examples: readonly ExampleModel[];
  readonly renamedFrom?: string;
}

/** What a call of JSON-RPC 2.0 has, and others have not. */
interface WithoutJsonRpc {
  readonly params?: never;
  readonly notify?: never;
}

/** A call of JSON-RPC 2.0. */
export interface JsonRpcTransportModel {
  readonly kind: "json-rpc";
  readonly params: ParamsStyle;
  /** `only`: it is never answered. */
  readonly notify: Notify;
}

/** A call in the envelope. */
export interface EnvelopedTransportModel extends WithoutJsonRpc {
  readonly kind: "enveloped";
  readonly auth: readonly string[];
  /** Whether an answer with a result has `jsonrpc`. */
  readonly jsonrpc: boolean;
  /** Whether it has `error: null`. */
  readonly nullError?: true;
  /** The rule for ids of its requests, in place of the interface's. */
  readonly requestId?: RequestIdModel;
}

/** A pattern for ids, and the parts of which an id that fits is drawn. */
export interface RequestIdModel {
  readonly pattern: string;
  readonly parts: readonly { readonly characters: string; readonly least: number; readonly most: number }[];
}

/** A body without envelope. */
export interface FlatTransportModel extends WithoutJsonRpc {
  readonly kind: "flat";
  /** None: every body at its own path is this operation. */
  readonly selectedBy: readonly string[];
  /** The values by which these fields select it, of each that another operation has too; absent where none has. */
  readonly only?: Readonly<Record<string, HeldValue>>;
  /** Its place among those that say one; they come before all others. */
  readonly order?: number;
}

/** A call of another protocol, which needs to know no more of a method than all do. */
export interface OwnTransportModel extends WithoutJsonRpc {
  readonly kind: "own";
}

/** The names of the fields that page a list, by the number of the page or by a cursor. */
export type PagingModel = PagingFields &
  (
    | {
        /** The payload's field for the number of the page. */
        readonly page: string;
        readonly cursor?: never;
        readonly next?: never;
      }
    | {
        readonly page?: never;
        /** The payload's optional field for where a page begins. */
        readonly cursor: string;
        /** The result's field with the cursor of the next page; absent, null or empty on the last. */
        readonly next: string;
      }
  );

interface PagingFields {
  /** The number of the first page, where it is not the least that the page's field takes, or 1. */
  readonly first?: number;
  /** The payload's field for how many items a page has. */
  readonly size?: string;
  /** The most items that a page has, whatever is asked for. */
  readonly sizeMax?: number;
  /** The payload's text that narrows the list by what its items hold, in the language of docs/filter.md. */
  readonly filter?: string;
  /** The result's field with the items. */
  readonly items: string;
  /** The code that is answered where a page has no items. */
  readonly empty?: string;
  /** The client's member whose `all` reads the list, where it is not called after the items. */
  readonly name?: string;
}

/** A method that makes a public key known: clients make the pair and sign with its private half. */
export interface RegistersKeyModel {
  /** The payload's field for the public key. */
  readonly publicKey: string;
  /** The result's field for the identifier that the key gets. */
  readonly keyId: string;
}

/** One payload, or several forms under one method name. */
export type PayloadModel =
  | {
      readonly kind: "single";
      readonly shape: ObjectTypeShape;
      /** The named type that the payload is, where the spec names one. */
      readonly type?: string;
    }
  /**
   * `selectedBy` a constant field of the payload, or by `stored` state that the handler looks up. Validation then
   * takes a payload of any form, and the generated type is the union of the forms.
   */
  | { readonly kind: "forms"; readonly selectedBy: string | "stored"; readonly forms: readonly FormModel[] };

export interface FormModel extends Documented {
  readonly name: string;
  readonly names: Names;
  readonly shape: ObjectTypeShape;
}

export interface ErrorModel extends Documented {
  readonly code: string;
  readonly names: Names;
  readonly message: string;
  readonly condition: string;
  readonly action: string;
  readonly httpStatus: number;
  /** The integer: `code` on the wire of a standard interface, where several errors may share one. */
  readonly rpcCode: number;
  /** The `error.code` in the signed envelope, where it is a number instead of the name. */
  readonly wireCode?: number | string;
  /** The shape of `error.data`, in a standard interface. */
  readonly data?: Shape;
  /** Whether every method can give it. */
  readonly everyMethod: boolean;
  /** The code it had on the wire. */
  readonly renamedFrom?: string;
}

/** A code as one method gives it, with the method's own message and condition where the document has them. */
export interface MethodErrorModel {
  readonly code: string;
  readonly message: string;
  readonly condition: string;
  /** The section in which the method's own text is. */
  readonly section?: string;
}

export interface EventModel extends Documented {
  readonly name: string;
  readonly names: Names;
  readonly payload: Shape;
  /** The member of its notification that holds the payload, where it is not `payload`. */
  readonly payloadName?: string;
  /** The members of its notification beside those that every notification has; a constant `source` replaces that one. */
  readonly members?: EventMembersModel;
  /** Methods of this interface whose `emits` names it. */
  readonly causedBy: readonly string[];
  /** Causes outside this interface, in words. */
  readonly otherCauses: readonly string[];
  /** The name it had on the wire. */
  readonly renamedFrom?: string;
}

/** Members that are constants, and others that repeat a field of the payload. */
export interface EventMembersModel {
  readonly shape: ObjectTypeShape;
  /** Names of fields of the payload, by name of the member. */
  readonly repeats: Readonly<Record<string, string>>;
  /** By name of the member, the values of a field of the payload with which it is there; the others are always there. */
  readonly when?: Readonly<Record<string, MemberCondition>>;
}

export interface MemberCondition {
  readonly field: string;
  readonly values: readonly (string | boolean)[];
}

export interface ExampleModel {
  readonly name: string;
  readonly payload: unknown;
  readonly result?: unknown;
  readonly error?: string;
}

export type ParamsStyle = "by-name" | "by-position" | "either";

/** Whether a method may be called without an `id`: `only` methods are never answered. */
export type Notify = "never" | "allowed" | "only";

/** Schemes that all have to hold for a call; none: authentication is optional. */
export type SecurityAlternativeModel = readonly {
  readonly scheme: string;
  /** The scopes that it has to grant. */
  readonly scopes: readonly string[];
}[];
