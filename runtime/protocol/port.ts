import type { CallEvidence, Refusal as CredentialRefusal } from "../auth/port.ts";
import type {
  Effect,
  JsonObject,
  JsonRpcTransport,
  PayloadValidator,
  RpcError,
  SchemeDescriptor,
  SecurityAlternative,
  ServiceFault,
  ValidationError,
} from "../contract/index.ts";

/** Everything the service needs to know of a method. Each protocol has more. */
export interface ServedMethod {
  /** The name on the wire. */
  readonly name: string;
  readonly effect: Effect;
  /** Validates what handlers are given. */
  readonly validate: PayloadValidator;
  /** Validates the result, as it is sent. Absent: results are not validated. */
  readonly validateResult?: PayloadValidator;
  /** By the code that handlers throw. */
  readonly errors: Readonly<Record<string, unknown>>;
}

/** A call as its message has it. Nothing of it is believed yet. */
export interface DecodedCall {
  readonly kind: "call";
  /** The id as JSON: it is sent back as it was written. Absent: the call is not answered. */
  readonly id: string | undefined;
  readonly method: string;
}

/** A part of a message that is no call: answered even without an id. */
export interface InvalidCall {
  readonly kind: "invalid";
  readonly id: string;
  readonly refused: Refused;
}

export type Message<Call> =
  | { readonly kind: "single"; readonly call: Call | InvalidCall }
  | { readonly kind: "batch"; readonly calls: readonly (Call | InvalidCall)[] }
  /** Not taken at all: one error is the whole answer. */
  | { readonly kind: "refused"; readonly id: string; readonly refused: Refused };

/** Why the service itself does not carry out a call. */
export interface Refused extends RefusedDetail {
  readonly kind: "refused";
  readonly fault: ServiceFault;
}

export interface RefusedDetail {
  /** JSON Pointer (RFC 6901) into the params. */
  readonly field?: string;
  /** What is wrong, where that is not the last name of `field`. */
  readonly fieldName?: string;
  /** A machine word that narrows the fault. */
  readonly reason?: string;
  /** Further members of the error's data. */
  readonly data?: JsonObject;
  /** Seconds after which the call may be tried again. */
  readonly retryAfterS?: number;
  /** What is wrong with the credentials, for a protocol that tells. */
  readonly credential?: CredentialRefusal;
  /** Values of `WWW-Authenticate`, one header line each. */
  readonly challenges?: readonly string[];
}

export function refuse(fault: ServiceFault, detail: RefusedDetail = {}): Refused {
  return { kind: "refused", fault, ...detail };
}

export function isRefused(value: unknown): value is Refused {
  return (
    typeof value === "object" &&
    value !== null &&
    "fault" in value &&
    "kind" in value &&
    value.kind === "refused"
  );
}

/** The error of a call, ready to be sent. */
export interface Failure {
  /** The code, or the name of the error, for logs and metrics. */
  readonly code: string;
  /** The machine word that narrows it. */
  readonly reason?: string;
  readonly httpStatus: number;
  readonly retryAfterS?: number;
  /** The response to the call with this id, which is JSON. */
  print(id: string): string;
}

/** Where a call leads: what authentication may have to know of its method. */
export interface CallTarget<Method> {
  readonly method: Method;
  /** The name of the method in the current revision. */
  readonly currentMethod: string;
  /** The name that a field of the current revision's payload has in the revision of the call. */
  fieldName(currentName: string): string;
}

/** What a repetition of a call is recognised by. */
export interface CallIdentity {
  /** Unique among the calls of one caller. */
  readonly key: string;
  /** The same for repetitions: SHA-256 in hexadecimal. */
  readonly requestHash: string;
}

/** What is known of a call when it is to be identified. */
export interface IdentifiedCall {
  /** The scheme's word for this request, where it has one. */
  readonly requestIdentity: string | undefined;
  /** The value of `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined;
  /** The position in a batch. */
  readonly position: number | undefined;
  /** The name that repetitions of the method have in every revision. */
  readonly methodIdentity: string;
  /** Identifier of the key that signed. */
  readonly keyId: string | undefined;
}

/** Why a request of HTTP has no message. */
export type HttpFault =
  | "http-method"
  | "body-already-read"
  | "content-encoding"
  | "content-type"
  | "too-large"
  | "too-slow"
  | "no-room";

/** What HTTP takes and refuses for a protocol. */
export interface HttpRules {
  /** The media types of a message, in lower case. */
  readonly mediaTypes: readonly string[];
  /** The value of `Allow`. */
  readonly allow: "POST" | "OPTIONS, POST";
  /** How each fault is answered. The word is `data.reason`. */
  readonly refusals: Readonly<Record<HttpFault, HttpRefusal>>;
}

export interface HttpRefusal {
  readonly fault: ServiceFault;
  readonly word: string;
  /** Headers that say how to do better. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * One interface in the words of a protocol: how its messages are read and its answers written. It knows neither transport
 * nor handlers, and keeps nothing between calls. A protocol is a folder that makes one of these from a descriptor.
 */
export interface Protocol<
  Method extends ServedMethod = ServedMethod,
  Call extends DecodedCall = DecodedCall,
> {
  /** Name of the interface. */
  readonly name: string;
  readonly revision: string;
  /** Request path. */
  readonly path: string;
  /** Paths of methods that are not at the path of the interface. */
  readonly otherPaths?: readonly string[];
  /** By the name on the wire. */
  readonly methods: Readonly<Record<string, Method>>;
  readonly schemes: Readonly<Record<string, SchemeDescriptor>>;
  /** Over which its calls may travel. Absent: any. */
  readonly transports?: readonly JsonRpcTransport[];
  /** Bytes of the largest message that is taken. */
  readonly messageBytesMax: number;
  /** HTTP status where there is nothing to answer. */
  readonly notifiedStatus: number;
  /** How HTTP carries its messages, where that is not as JSON-RPC over HTTP is. */
  readonly http?: Partial<HttpRules>;

  /** The method that the service answers by itself, with a document as JSON. */
  readonly discovery?: { readonly method: Method; readonly document: string };

  /** Alternatives, of which one has to hold. Empty: the method is open. */
  securityOf(method: Method): readonly SecurityAlternative[];
  /** Whether scopes that were granted hold a method by one of its names. Absent: `securityOf` names the scopes. */
  allows?(scopes: readonly string[], names: readonly string[]): boolean;
  /** bytes → calls. `target` is the request target, where the transport has one. */
  decode(bytes: Buffer, target: string): Message<Call>;
  /** Why the method may not be called in this way. Absent: every way will do. */
  refusalOf?(method: Method, call: Call): Refused | undefined;
  /** What authentication schemes see of a call. */
  evidenceOf(call: Call, target: CallTarget<Method>): CallEvidence;
  /** The payload as handlers take it: named, validated, with its defaults and exact numbers. */
  read(method: Method, call: Call): { readonly kind: "valid"; readonly payload: object } | Refused;
  /** What tells a call that changes something from others. Absent: each is carried out anew. */
  identify?(method: Method, call: Call, known: IdentifiedCall): CallIdentity | Refused | undefined;
  /** A result as JSON: its declared members only; those that are undefined are absent. */
  printResult(method: Method, result: unknown): string;
  /** The response to a call that succeeded. */
  printResponse(method: Method, id: string, resultText: string): string;
  /**
   * An error as it is answered. Undefined for an `RpcError` that the method does not declare. `requestId` names the log
   * lines of an internal error.
   * @throws ContractError where the data of a declared error does not fit the spec.
   */
  failureOf(failed: Refused | RpcError, method: Method | undefined, requestId?: string): Failure | undefined;
  /** The answer to a batch. Absent: `decode` gives none. */
  printBatch?(responses: readonly string[]): string | undefined;

  /** Absent: earlier revisions cannot be served. */
  readonly revisions?: {
    /** The refusal of a payload that a later revision finds wrong; `earlier` leads its pointers back. */
    refusalOf(
      method: Method,
      errors: readonly ValidationError[],
      earlier: (pointer: string) => string,
    ): Refused;
    /** A result that `printResult` has written, as handlers give it. */
    readResult(method: Method, resultText: string): object;
  };
}
