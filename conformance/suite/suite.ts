import type { JsonRpcEntry, JsonRpcTransportEntry } from "./json-rpc.ts";
import type { Level, SpecReference } from "./level.ts";
import type { ObjectShape, Shape } from "./shape.ts";
import type { Step } from "./step.ts";

/** An interface as the suite tests it: everything that checking a case needs, as plain JSON. */
export interface Suite {
  readonly format: 3;
  readonly name: string;
  readonly title: string;
  readonly revision: string;
  readonly path: string;
  /** Where `callerCall` goes: the path of the documented interface, if it is another one. */
  readonly documentedPath?: string;
  /** The operation by which what concerns all of them is tried: it only reads. */
  readonly probe: string;
  /** How calls travel; absent: in the signed envelope. */
  readonly wire?: JsonRpcEntry;
  /** The rule for ids of requests in the signed envelope, beyond 1 to 128 characters. */
  readonly requestId?: RequestIdEntry;
  readonly auth: readonly AuthMember[];
  readonly faults: Readonly<Record<string, string>>;
  readonly errors: readonly ErrorEntry[];
  readonly types: Readonly<Record<string, Shape>>;
  readonly methods: readonly MethodEntry[];
  readonly events: readonly EventEntry[];
  readonly resources: readonly ResourceEntry[];
  readonly rules: Readonly<Record<string, RuleEntry>>;
  readonly scenarios: readonly Scenario[];
  readonly states: readonly StateEntry[];
  /** Empty where the spec has none: every case counts then. */
  readonly requirements: readonly RequirementEntry[];
}

/** A pattern for ids, and the parts of which one that fits is drawn. */
export interface RequestIdEntry {
  readonly pattern: string;
  readonly parts: readonly { readonly characters: string; readonly least: number; readonly most: number }[];
}

export interface AuthMember {
  readonly name: string;
  /** The code answered when it is missing or malformed. */
  readonly missing: string;
}

export interface ErrorEntry extends SpecReference {
  readonly code: string;
  readonly message: string;
  readonly httpStatus: number;
  readonly rpcCode: number;
  /** The `error.code` on the wire, where it is a number instead of the name. */
  readonly wireCode?: number | string;
  readonly everyMethod: boolean;
  /** The shape of the error's `data`, in a standard interface. */
  readonly data?: Shape;
}

export interface MethodEntry extends SpecReference {
  readonly name: string;
  readonly effect: "read" | "set" | "create";
  /** Where it is not at the path of the interface. */
  readonly path?: string;
  readonly transport: EnvelopedTransportEntry | FlatTransportEntry | JsonRpcTransportEntry;
  readonly payload: PayloadShape;
  /** An object, but in a standard interface. */
  readonly result: Shape;
  readonly errors: readonly MethodError[];
  /** For a paged list: the names of the fields that page it. */
  readonly paging?: PagingEntry;
  /** Payloads to start from, by name: `minimal`, `maximal`, one of each for each form. Texts in `{{}}` are samples. */
  readonly bases: Readonly<Record<string, unknown>>;
  /** The payloads of its successful examples, as the spec has them. */
  readonly examples?: readonly unknown[];
}

/** What a call of JSON-RPC 2.0 has, and others have not. */
interface WithoutJsonRpc {
  readonly params?: never;
  readonly notify?: never;
  readonly security?: never;
}

export interface EnvelopedTransportEntry extends WithoutJsonRpc {
  readonly kind: "enveloped";
  readonly auth: readonly string[];
  /** Whether an answer with a result has `jsonrpc`. */
  readonly jsonrpc: boolean;
  /** Whether it has `error: null`. */
  readonly nullError?: true;
  /** Of which ids of its requests are drawn, in place of those of the interface. */
  readonly requestId?: RequestIdEntry;
}

export interface FlatTransportEntry extends WithoutJsonRpc {
  readonly kind: "flat";
  /** None: every body at its own path is this operation. */
  readonly selectedBy: readonly string[];
  /** The values by which these fields select it, of each that another operation has too. */
  readonly only?: Readonly<Record<string, HeldValue>>;
  /** Its place among those that say one; they come before all others. */
  readonly order?: number;
}

/** One of these values, or any of a type of JSON. */
export type HeldValue =
  | { readonly oneOf: readonly (string | number | boolean)[] }
  | { readonly type: "string" | "number" | "boolean" | "array" | "object" };

export interface PagingEntry {
  readonly page: string;
  /** The number of the first page, where it is not 1. */
  readonly first?: number;
  readonly size?: string;
  readonly sizeMax?: number;
  /** The field that narrows the list by what its items hold. */
  readonly filter?: string;
  readonly items: string;
  /** The code that is answered where a page has no items. */
  readonly empty?: string;
}

export interface MethodError extends SpecReference {
  readonly code: string;
  readonly message: string;
}

export type PayloadShape =
  | { readonly kind: "single"; readonly shape: ObjectShape }
  | {
      readonly kind: "forms";
      readonly selectedBy: string;
      /** A payload is held to one form after the other: what is wrong is another field in each. */
      readonly heldToEach?: true;
      readonly forms: readonly { readonly name: string; readonly shape: ObjectShape }[];
    };

export interface EventEntry extends SpecReference {
  readonly name: string;
  readonly payload: Shape;
  /** The member of its notification that holds the payload, where it is not `payload`. */
  readonly payloadName?: string;
  /** The members of its notification beside those that every one has: those that repeat a field of the payload, by name. */
  readonly members?: {
    readonly shape: Shape;
    readonly repeats: Readonly<Record<string, string>>;
    /** The values of a field of the payload with which a member is there, by its name. */
    readonly when?: Readonly<
      Record<string, { readonly field: string; readonly values: readonly (string | boolean)[] }>
    >;
  };
}

export interface ResourceEntry {
  readonly name: string;
  readonly absent?: string;
  readonly samples: readonly string[];
  /** How a new one is made; absent where the interface has no way. */
  readonly created?: {
    readonly method: string;
    readonly base: string;
    /** JSON Pointer into the result, by sample. */
    readonly gives: Readonly<Record<string, string>>;
  };
  /** How the operator makes a new one; absent where the spec does not say. */
  readonly made?: { readonly steps: readonly Step[]; readonly gives: Readonly<Record<string, string>> };
  /** How one of the access file is noted before anything changes it, and put back. */
  readonly kept?: { readonly before: readonly Step[]; readonly after: readonly Step[] };
  /** How one that the run made is taken away, by the operation that made it, whose result is `{{made}}`. */
  readonly removed?: Readonly<Record<string, readonly Step[]>>;
}

export interface RuleEntry extends SpecReference {
  readonly doc: string;
}

export interface StateEntry extends SpecReference {
  readonly name: string;
  readonly type: string;
  readonly transitions: readonly { readonly from: string; readonly to: string; readonly by?: string }[];
}

/** A sentence that binds, and what shows whether it holds. */
export interface RequirementEntry extends SpecReference {
  /** It stays the same. */
  readonly id: string;
  readonly sentence: string;
  /** Ids of cases; `{a,b}` stands for each of the words in turn. */
  readonly cases: readonly string[];
  /** Why no case can show it. */
  readonly untested?: string;
}

export interface Scenario extends SpecReference {
  readonly name: string;
  readonly doc: string;
  readonly level: Level;
  readonly about: readonly string[];
  readonly alone: boolean;
  readonly steps: readonly Step[];
}
