import type { Effect, PayloadValidator, SignedInterfaceDescriptor } from "./method.ts";
import type { JsonValue } from "./values.ts";
import type { RpcError, RpcErrorDetail } from "./handler.ts";

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

/** The members of a message by what they carry. */
export interface Frame {
  /** A member that every message has, with its value; none where a protocol says no version. */
  readonly version?: { readonly member: string; readonly value: string };
  readonly id: string;
  readonly method: string;
  readonly params: string;
  readonly result: string;
  readonly error: string;
}

/** JSON-RPC 2.0, sections 4 and 5. */
export const jsonRpcFrame: Frame = {
  version: { member: "jsonrpc", value: "2.0" },
  id: "id",
  method: "method",
  params: "params",
  result: "result",
  error: "error",
};

/** One interface of standard JSON-RPC 2.0, or of a dialect of it. Generated from the spec. */
export interface JsonRpcInterfaceDescriptor<
  Schemes extends Readonly<Record<string, SchemeDescriptor>> = Readonly<Record<string, SchemeDescriptor>>,
> {
  readonly protocol: "json-rpc-2.0";
  /** The version of this contract that the code was generated for. The runtime takes it and the one before. */
  readonly contract: 1;
  /** The members of messages, where a dialect names them otherwise than JSON-RPC 2.0. */
  readonly frame?: Frame;
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

/** Who calls, and what the credentials allow, as an authentication scheme found. */
export interface Identity<Caller = unknown> {
  readonly caller: Caller;
  readonly scopes: readonly string[];
  /** Unix time in milliseconds from which the identity no longer holds; a WebSocket may outlive it. */
  readonly expiresAtMs?: number;
}

/**
 * `context.auth` of a method: the identities of the alternative that holds, by the name of the scheme. `Alternatives`
 * is a union of lists of names, `["user"] | ["machine", "signed"] | []`; `Callers` has their callers by name.
 */
export type AuthOf<Alternatives extends readonly string[], Callers> = Alternatives extends unknown
  ? {
      readonly [Name in Alternatives[number]]: Identity<Name extends keyof Callers ? Callers[Name] : unknown>;
    }
  : never;

/** The callers that an application declares as `callers` of its contexts, by the name of the scheme. */
export type CallersOf<C> = C extends { readonly callers: infer Callers } ? Callers : object;

/** The detail of an error whose `data` the spec leaves open. */
export interface OpenErrorDetail<FieldPointer extends string> extends Omit<
  RpcErrorDetail<FieldPointer>,
  "data"
> {
  readonly data?: JsonValue;
}

/** The detail of an error whose `data` has a type in the spec. */
export interface TypedErrorDetail<Data> {
  /** Sent as `error.data`. */
  readonly data: Data;
  /** The failure behind it: reported, never sent. */
  readonly cause?: unknown;
}

/**
 * The arguments after the name of an error: its data has to be given where the spec gives it a type. For an unknown
 * name TypeScript takes all of them: then the name is wrong, not the number of arguments.
 */
export type ErrorArguments<Errors, Name extends keyof Errors, FieldPointer extends string> = [
  Errors[Name],
] extends [undefined]
  ? readonly [detail?: OpenErrorDetail<FieldPointer>]
  : [undefined, keyof Errors] extends [Errors[Name], Name]
    ? readonly [detail?: unknown]
    : readonly [detail: TypedErrorDetail<Errors[Name]>];

/** The params of a notification: they may be left out where none of their members is required. */
export type NotificationParams<Params> = object extends Params
  ? readonly [params?: Params]
  : readonly [params: Params];

/** Notifications of any name, where the types know nothing of the spec. */
export type AnyNotifications = Readonly<Record<string, object>>;

/** Sends a notification that the spec declares; false where the connection is closed or its client does not read. */
export interface Notifier<Notifications extends object = AnyNotifications> {
  <Name extends keyof Notifications & string>(
    method: Name,
    ...params: NotificationParams<Notifications[Name]>
  ): boolean;
}

/**
 * The context of every handler of a standard interface. `Errors` has the type of `error.data` by the name of the error,
 * undefined where the spec leaves it open. `Auth` is the union of the method's alternatives. `Notifications` has the type
 * of the params by the name of the notification.
 */
export interface JsonRpcHandlerContext<
  Errors extends object,
  FieldPointer extends string = string,
  Auth extends object = object,
  Notifications extends object = AnyNotifications,
> {
  /**
   * Builds a declared failure: `throw context.error("GONE", { data: task })`. Errors that the method does not declare
   * do not compile.
   */
  error<Name extends keyof Errors & string>(
    name: Name,
    ...detail: ErrorArguments<Errors, Name, FieldPointer>
  ): RpcError<Name>;
  /** Who calls, by the name of the authentication scheme. Empty where the method is open. */
  readonly auth: Auth;
  /** Aborts when the call has run out of time, or when its connection is closed. */
  readonly signal: AbortSignal;
  /** Sends a notification over the connection of the call. Absent over HTTP, which has no way back. */
  readonly notify?: Notifier<Notifications>;
}

/** The body of one method. A method without a result may return nothing. */
export type JsonRpcHandler<
  Payload,
  Result,
  Errors extends object,
  Context extends object,
  FieldPointer extends string = string,
  Auth extends object = object,
  Notifications extends object = AnyNotifications,
> = (
  payload: Payload,
  context: JsonRpcHandlerContext<Errors, FieldPointer, Auth, Notifications> & Context,
) => Promise<null extends Result ? Result | void : Result>;
