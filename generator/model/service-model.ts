import type { Frame } from "../../conformance/base/frame.ts";
import type { Span } from "../language/source/index.ts";
import type { Documented, Shape } from "./shape.ts";
import type { ErrorModel, EventModel, MethodModel, ParamsStyle, RequestIdModel } from "./method-model.ts";
import type { Names } from "./names.ts";

export type { Documented } from "./shape.ts";
export type * from "./method-model.ts";
export type { Names } from "./names.ts";
export type * from "./shape.ts";

/**
 * A spec with every reference resolved and every name assigned: the one thing all emitters read. Frozen. Lists are in
 * canonical order (sections in natural order, then names). So the model, and with it all output, is the same under
 * any permutation of the spec's keys and files. Fields and enum values keep the order of the document.
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

/** How calls travel. What else a protocol has to know, its own `wire.ts` reads. */
export interface WireModel {
  readonly protocol: string;
  /** The names of the members of messages, for JSON-RPC 2.0 and its dialects. */
  readonly frame?: Frame;
  /** The rule for ids of requests, beyond 1 to 128 characters. */
  readonly requestId?: RequestIdModel;
}

/** The wire of the signed envelope. */
export interface EnvelopeWireModel extends WireModel {
  readonly protocol: "signed-envelope";
  /** Whether an answer with a result has `error: null` too. */
  readonly nullError?: true;
}

/** The wire of a standard interface: JSON-RPC 2.0, or a dialect of it. Its methods have the transport `json-rpc`. */
export interface JsonRpcWireModel extends WireModel {
  readonly frame: Frame;
  /** How parameters are written where a method says nothing else. */
  readonly params: ParamsStyle;
  readonly http: { readonly status: "ok" | "mapped"; readonly notified: 202 | 204 };
  readonly batch: false | { readonly max: number };
  readonly transports: readonly JsonRpcTransport[];
  /** The errors of the runtime itself: the standard's, and those that a spec may give another name and code. */
  readonly faults: Readonly<Record<JsonRpcFault, JsonRpcFaultModel>>;
}

export type JsonRpcTransport = "http" | "websocket" | "stdio";

/** Faults that the runtime of a standard interface detects in a call. */
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

/** A group of methods: `AccountService`. Methods without a group have none. */
export interface ServiceGroup extends Documented {
  readonly name: string;
  readonly names: Names;
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

/** A kind of object that calls are about. */
export interface ResourceModel extends Documented {
  readonly name: string;
  /** The code where there is no such object. */
  readonly absent?: string;
  /** Names of samples that identify such an object; a test gets one of them. */
  readonly samples: readonly { readonly name: string; readonly doc: string }[];
  /** How a new one is made where no method makes one: steps as in a scenario, and the samples that they give. */
  readonly made?: { readonly steps: readonly unknown[]; readonly gives: Readonly<Record<string, string>> };
  /** Steps that note how one of the access file is, and steps that put it back. */
  readonly kept?: { readonly before: readonly unknown[]; readonly after: readonly unknown[] };
  /** Steps that take one away at the end of a run, by the operation that made it. */
  readonly removed?: Readonly<Record<string, readonly unknown[]>>;
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
