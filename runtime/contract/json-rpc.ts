import type { JsonValue } from "./json.ts";
import type { Effect, PayloadValidator, SignedInterfaceDescriptor } from "./method.ts";

/** How the parameters of a method may be written (JSON-RPC 2.0, section 4.2). */
export type ParamsStyle = "by-name" | "by-position" | "either";

/** Whether a method may be called without an `id` (section 4.1): `only` methods are never answered. */
export type Notify = "never" | "allowed" | "only";

/** One parameter of a method, in the order of its positions. */
export interface ParameterDescriptor {
  readonly name: string;
  readonly required: boolean;
  /** Whether `null` is a value of its own. At an optional parameter that is not nullable, `null` by position means absent. */
  readonly nullable: boolean;
}

/** Authentication schemes that all hold for one call, each with the scopes that it has to grant. */
export type SecurityAlternative = Readonly<Record<string, readonly string[]>>;

/** An error of a standard JSON-RPC interface (JSON-RPC 2.0, section 5.1). */
export interface JsonRpcErrorDescriptor {
  /** The name that handlers throw. Several names may share a code. */
  readonly name: string;
  readonly code: number;
  readonly message: string;
  /** HTTP status where the interface maps errors to it. */
  readonly httpStatus: number;
  /** Validates the `data` of a handler. Absent: it is not checked. */
  readonly validateData?: PayloadValidator;
}

/** A notification that the service sends over a connection that stays open. */
export interface NotificationDescriptor {
  /** The name on the wire. */
  readonly name: string;
  /** Validates its params. */
  readonly validate?: PayloadValidator;
  /** What is sent of its params; all of them if absent. */
  readonly plan?: ValuePlan;
}

/** Faults that the runtime itself detects in a call of a standard interface. */
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

/** Faults that the runtime itself detects, whatever the protocol. */
export type ServiceFault = JsonRpcFault | "conflict";

/** Everything the runtime needs to know of one method. Generated from the spec. */
export interface JsonRpcMethodDescriptor {
  /** The name on the wire. */
  readonly name: string;
  readonly effect: Effect;
  readonly params: ParamsStyle;
  readonly notify: Notify;
  readonly parameters: readonly ParameterDescriptor[];
  /** Alternatives, of which one has to hold. Empty: the method is open. An empty alternative: authentication is optional. */
  readonly security: readonly SecurityAlternative[];
  /** Validates the parameters, by name. */
  readonly validate: PayloadValidator;
  /** Whether `params` may have names beyond the parameters: without it, these are refused as invalid params. */
  readonly open?: true;
  /** Which parameters are exact numbers, and what is sent of a result. Absent: none are, and all of it. */
  readonly plans?: { readonly params?: ValuePlan; readonly result?: ValuePlan };
  /** Fills the defaults of the spec into valid parameters. Absent where there are none. */
  fillDefaults?(params: object): object;
  /** Validates the result of the handler. Absent: results are not validated. */
  readonly validateResult?: PayloadValidator;
  /** By the name that handlers throw. */
  readonly errors: Readonly<Record<string, JsonRpcErrorDescriptor>>;
}

/** What the runtime has to know of a value besides its JSON. Functions, for types may be recursive. */
export interface ValuePlan {
  /** How handlers take and give a number: with all its digits. */
  readonly number?: "bigint" | "decimal";
  /** The declared members, and the items of a tuple by position. `null`: there is no more to know of it. */
  readonly members?: Readonly<Record<string, (() => ValuePlan) | null>>;
  /** Whether members that are not declared are sent, too. */
  readonly open?: true;
  /** The plan of items of a list and of members that are not declared. */
  readonly items?: () => ValuePlan;
  /** The member whose value names the case that the value is. */
  readonly tag?: string;
  readonly cases?: Readonly<Record<string, () => ValuePlan>>;
}

/** An authentication scheme as the spec declares it. Keys, secrets and addresses are options of the runtime. */
export interface SchemeDescriptor<Kind extends string = string> {
  readonly kind: Kind;
  readonly [option: string]: JsonValue;
}

/** A way for calls to travel. */
export type JsonRpcTransport = "http" | "websocket" | "stdio";

/** One interface of standard JSON-RPC 2.0. Generated from the spec. */
export interface JsonRpcInterfaceDescriptor<
  Schemes extends Readonly<Record<string, SchemeDescriptor>> = Readonly<Record<string, SchemeDescriptor>>,
> {
  readonly protocol: "json-rpc-2.0";
  /** The version of this contract that the code was generated for. The runtime takes it and the one before. */
  readonly contract: 1;
  readonly name: string;
  readonly title: string;
  readonly revision: string;
  /** Request path, `/rpc`. */
  readonly path: string;
  readonly http: {
    /** `ok`: every answer is 200; `mapped`: an error has its own status, where it is not part of a batch. */
    readonly status: "ok" | "mapped";
    /** Status where there is nothing to answer. */
    readonly notified: 202 | 204;
  };
  readonly batch: false | { readonly max: number };
  readonly transports: readonly JsonRpcTransport[];
  /** By the name on the wire. */
  readonly methods: Readonly<Record<string, JsonRpcMethodDescriptor>>;
  /** The notifications that the service may send, by the name on the wire. */
  readonly notifications?: Readonly<Record<string, NotificationDescriptor>>;
  /** The sent part of the data of errors, by the error's name. Absent: all of it. */
  readonly errorPlans?: Readonly<Record<string, ValuePlan>>;
  readonly faults: Readonly<Record<JsonRpcFault, JsonRpcErrorDescriptor>>;
  readonly schemes: Schemes;
  /** The OpenRPC document of the interface as JSON, which `rpc.discover` answers with. */
  readonly document?: string;
}

/** An interface, by its protocol. */
export type InterfaceDescriptor = SignedInterfaceDescriptor | JsonRpcInterfaceDescriptor;
