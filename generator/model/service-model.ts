import type { Span } from "../source/index.ts";
import type { HeldValue } from "../spec/index.ts";

/**
 * A spec with every reference resolved and every name assigned: the one thing all emitters read.
 * Frozen. Lists are in canonical order (sections in natural order, then names), so that the model, and with it
 * all output, is the same under any permutation of the spec's keys and files. Fields and enum values keep the
 * order of the document.
 */
export interface ServiceModel extends Documented {
  /** Folder-safe name of the interface: `ledger`. */
  readonly name: string;
  readonly title: string;
  readonly revision: string;
  readonly path: string;
  /** The path of the interface whose authentication this one shares; its own where it declares that itself. */
  readonly documentedPath?: string;
  readonly wire: WireModel;
  readonly services: readonly ServiceGroup[];
  /** Name of the authentication scheme: `signedEnvelope`. */
  readonly authScheme: string;
  readonly auth: readonly AuthMemberModel[];
  readonly authHeaders: readonly HeaderModel[];
  readonly faults: Readonly<Record<string, string>>;
  /** Authentication schemes of a standard interface. */
  readonly schemes: readonly SchemeModel[];
  readonly types: readonly TypeModel[];
  readonly methods: readonly MethodModel[];
  readonly errors: readonly ErrorModel[];
  readonly events: readonly EventModel[];
  readonly states: readonly StateMachineModel[];
  readonly rules: readonly RuleModel[];
  readonly resources: readonly ResourceModel[];
  readonly scenarios: readonly ScenarioModel[];
  readonly requirements: readonly RequirementModel[];
  /** The earlier revisions that are served beside it, oldest first; absent where there are none. */
  readonly serves?: readonly ServedRevisionModel[];
}

/** How calls travel. */
export type WireModel = { readonly protocol: "signed-envelope" } | JsonRpcWireModel;

/** The wire of a standard interface (JSON-RPC 2.0). Its methods have the transport `json-rpc`. */
export interface JsonRpcWireModel {
  readonly protocol: "json-rpc-2.0";
  /** How parameters are written where a method says nothing else. */
  readonly params: ParamsStyle;
  readonly http: { readonly status: "ok" | "mapped"; readonly notified: 202 | 204 };
  readonly batch: false | { readonly max: number };
  readonly transports: readonly JsonRpcTransport[];
  /** What the runtime itself answers: the standard's errors, and those that a spec may give another name and code. */
  readonly faults: Readonly<Record<JsonRpcFault, JsonRpcFaultModel>>;
}

export type ParamsStyle = "by-name" | "by-position" | "either";

/** Whether a method may be called without an `id`: `only` methods are never answered. */
export type Notify = "never" | "allowed" | "only";

export type JsonRpcTransport = "http" | "websocket" | "stdio";

/** What the runtime of a standard interface detects in a call. */
export type JsonRpcFault =
  | "parseError"
  | "invalidRequest"
  | "methodNotFound"
  | "invalidParams"
  | "internalError"
  | "unauthenticated"
  | "forbidden"
  | "rateLimited"
  | "unavailable"
  | "tooLarge";

export interface JsonRpcFaultModel {
  /** The name of the error; one of the model's `errors` where the spec names it. */
  readonly name: string;
  readonly code: number;
  readonly message: string;
  readonly httpStatus: number;
}

/** An earlier revision of the interface that is still served. */
export interface ServedRevisionModel {
  readonly model: ServiceModel;
  readonly section?: string;
  readonly decisions: readonly string[];
  /** Where the current revision lists it. */
  readonly span: Span;
}

/** What every documented thing may carry. */
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
  /** What the spec's `x-…` keys say, as plain JSON: exported documents carry it on. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  readonly span: Span;
}

/** A group of methods: `AccountService`. Methods without a group have none. */
export interface ServiceGroup extends Documented {
  readonly name: string;
  readonly names: Names;
}

/** The identifiers that emitters use for one thing: legal in TypeScript, unique in the model. */
export interface Names {
  /** PascalCase, for types: `GetAccount`. */
  readonly type: string;
  /** camelCase, for values and functions: `getAccount`. */
  readonly value: string;
  /** kebab-case, for files and folders: `get-account`. Unique ignoring case; at most 64 characters. */
  readonly file: string;
}

export interface AuthMemberModel extends Documented {
  readonly name: string;
  /** The code answered when the member is missing or malformed. */
  readonly missing: string;
}

/** An authentication scheme: how callers of a standard interface say who they are. */
export interface SchemeModel extends Documented {
  /** The name in the spec, a property of `context.auth`. */
  readonly name: string;
  /** `jwt`, `api-key`, …; `x-…` for a kind of the project's own. */
  readonly kind: string;
  /** As the spec has them, keys in name order. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Schemes that all have to hold for a call; none: authentication is optional. */
export type SecurityAlternativeModel = readonly {
  readonly scheme: string;
  /** What it has to grant. */
  readonly scopes: readonly string[];
}[];

export interface HeaderModel extends Documented {
  readonly name: string;
  readonly format: string;
}

/** A named type. */
export interface TypeModel extends Documented {
  /** The name in the spec. */
  readonly name: string;
  readonly names: Names;
  readonly shape: Shape;
  /** Whether requests, responses or events reach it. */
  readonly usedIn: readonly ("request" | "response" | "event")[];
  /** The name it had. */
  readonly renamedFrom?: string;
  readonly example?: unknown;
}

export type StringFormat =
  | "timestamp" // UTC, milliseconds, `Z`
  | "offset-timestamp" // RFC 3339 with `Z` or an offset
  | "date" // YYYYMMDD, a real calendar date
  | "year-month" // YYYY-MM
  | "pem"
  | "base64"
  | "url" // http or https
  | "uuid"
  | "uri" // any scheme
  | "uri-reference"
  | "email"
  | "date-time" // RFC 3339, in either case, leap seconds included
  | "iso-date" // YYYY-MM-DD, a real calendar date
  | "time" // with an offset
  | "duration" // RFC 3339
  | "ipv4"
  | "ipv6"
  | "hostname"
  | "json-pointer";

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

/** Objects that are told apart by the text of a member. Each case is an object type. */
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
  /** `money` is a decimal whose digits must survive: at most 15 significant digits (D-37). */
  readonly kind: "number" | "integer" | "money";
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
  readonly values: readonly EnumValue[];
}

export interface EnumValue extends Documented {
  /** A text, or in interfaces of JSON-RPC 2.0 an integer. */
  readonly value: string | number;
  readonly names: Names;
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
  /** Each group: exactly one of these fields is present. */
  readonly exactlyOneOf: readonly (readonly string[])[];
  /** Whether members that are not listed are refused; they are let through if absent. */
  readonly closed?: true;
}

export interface FieldModel extends Documented {
  /** The canonical wire name. */
  readonly name: string;
  readonly shape: Shape;
  readonly presence: Presence;
  /** What an absent value means: the runtime fills it into parameters. Such a field is optional. */
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

export interface MethodModel extends Documented {
  /** The wire name, `AccountService.GetAccount`; for a flat operation its name in the spec. */
  readonly name: string;
  /** The part after the dot. */
  readonly operation: string;
  readonly service?: string;
  readonly names: Names;
  readonly effect: "read" | "set" | "create";
  readonly transport:
    | { readonly kind: "enveloped"; readonly auth: readonly string[]; readonly jsonrpc: boolean }
    | {
        readonly kind: "flat";
        readonly selectedBy: readonly string[];
        /** The values by which these fields select it, of each that another operation has too; absent where none has. */
        readonly only?: Readonly<Record<string, HeldValue>>;
      }
    | { readonly kind: "json-rpc"; readonly params: ParamsStyle; readonly notify: Notify };
  /** Alternatives of which one has to hold, in the order of the spec; none: open, or secured by the envelope. */
  readonly security: readonly SecurityAlternativeModel[];
  readonly payload: PayloadModel;
  /** In the signed envelope always an object: `resultObject` gives it. */
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

/** The names of the fields that page a list. */
export interface PagingModel {
  /** The payload's field for the number of the page. */
  readonly page: string;
  /** The payload's field for how many items a page has. */
  readonly size?: string;
  /** The most items that a page has, whatever is asked for. */
  readonly sizeMax?: number;
  /** The payload's text that narrows the list by what its items hold, in the language of docs/filter.md. */
  readonly filter?: string;
  /** The result's field with the items. */
  readonly items: string;
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
   * `selectedBy` a constant field of the payload, or by `stored` state that the handler looks up: then validation
   * takes what fits any form, and the generated payload type is the union of the forms.
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
  /** What `error.code` is in the signed envelope, where it is a number instead of the name. */
  readonly wireCode?: number;
  /** What `error.data` is, in a standard interface. */
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
  /** Methods of this interface whose `emits` names it. */
  readonly causedBy: readonly string[];
  /** Causes outside this interface, in words. */
  readonly otherCauses: readonly string[];
  /** The name it had on the wire. */
  readonly renamedFrom?: string;
}

export interface StateMachineModel extends Documented {
  readonly name: string;
  /** The enum type whose values are the states. */
  readonly type: string;
  readonly transitions: readonly TransitionModel[];
}

export interface TransitionModel extends Documented {
  /** A state; `any`; or `none` for creation. */
  readonly from: string;
  /** A state, or `requested`: the value the caller asks for. */
  readonly to: string;
  /** The method that triggers it; absent for triggers outside the interface. */
  readonly by?: string;
  readonly condition?: string;
  readonly effects: readonly string[];
}

export interface RuleModel extends Documented {
  readonly id: string;
}

export interface ExampleModel {
  readonly name: string;
  readonly payload: unknown;
  readonly result?: unknown;
  readonly error?: string;
}

/** A kind of object that calls are about. */
export interface ResourceModel extends Documented {
  readonly name: string;
  /** The code where there is no such object. */
  readonly absent?: string;
  /** What identifies such an object: names of samples, of which a tester of a service is given one. */
  readonly samples: readonly { readonly name: string; readonly doc: string }[];
  /** How a new one is made where no method makes one: steps as in a scenario, and the samples that they give. */
  readonly made?: { readonly steps: readonly unknown[]; readonly gives: Readonly<Record<string, string>> };
}

/** A sentence that binds (`doc`), and what shows whether it holds. */
export interface RequirementModel extends Documented {
  readonly id: string;
  /** Ids of cases and scenarios, packed: `{a,b}` stands for each of the words in turn. */
  readonly cases: readonly string[];
  /** Why no case can show it. */
  readonly untested?: string;
}

/** A sequence of calls, and what must hold along it. */
export interface ScenarioModel extends Documented {
  readonly name: string;
  /** The methods that it tries; empty: those it calls. */
  readonly about: readonly string[];
  readonly level?: "document" | "decisions" | "strict";
  /** Whether it runs while nothing else does. */
  readonly alone: boolean;
  /** As the spec language has them, as plain JSON with keys in name order. */
  readonly steps: readonly unknown[];
}
