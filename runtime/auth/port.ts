import type { Identity, JsonValue, MethodDescriptor, SchemeDescriptor } from "../contract/index.ts";
import type { AuthServices } from "./auth-services.ts";
import type { Envelope } from "../protocol/signed-envelope/envelope.ts";
import type { NotTaken, ReplayRecord, ReplayRegister, ReplayVerdict } from "./replays.ts";

export type { Identity, ReplayRecord, ReplayRegister, ReplayVerdict };

/**
 * The subject of a scheme: the request that carries the calls, or the handshake of a WebSocket (no body then). The bytes
 * and headers are those that arrived, nothing decoded.
 */
export interface Evidence {
  readonly body: Uint8Array;
  /** Every value of a header as it arrived, in order, never joined. The name is in lower case. None: an empty list. */
  header(name: string): readonly string[];
  /** HTTP method: `POST`, or `GET` of a handshake. */
  readonly httpMethod: string;
  /** Path and query as they arrived: `/rpc?x=1`. */
  readonly target: string;
  /** Address of the other end of the connection, never one from a header. Absent without a network. */
  readonly peerAddress?: string;
  /** The call, for a scheme that verifies each call by itself. */
  readonly call?: CallEvidence;
}

/** One call of a request. */
export interface CallEvidence {
  /** The name on the wire. */
  readonly method: string;
  /** Bytes of `params`; absent where the call has none. */
  readonly params?: Uint8Array;
  /** The call as a signed envelope has it; absent in other protocols. */
  readonly signed?: SignedCall;
}

/** A decoded call of a signed envelope. Nothing of it is believed yet. */
export interface SignedCall {
  /** The method as the caller's revision has it. */
  readonly method: MethodDescriptor;
  /** The method's name in the current revision. */
  readonly currentMethod: string;
  readonly envelope: Envelope;
  /** The member of the payload that has this name in the current revision, whatever its spelling (D-11). */
  payloadField(currentName: string): JsonValue | undefined;
}

/** Learns who calls while a scheme is still at work. */
export interface AuthObserver {
  /**
   * The credential is this user's: counts the request against its rate (D-45). Gives a promise where the user has too many
   * calls at work. A scheme does nothing further before it is kept, and gives what it is told, if anything, as its verdict.
   */
  identified(userName: string): Halted | undefined | Promise<Halted | undefined>;
  /** The key that must have signed is registered under this identifier. For log lines. */
  keyFound(keyId: string): void;
}

/** Why there is no identity. `missing`: the request does not try this scheme at all. */
export type CredentialFault = "missing" | "malformed" | "rejected" | "expired" | "replayed";

/** The result of a scheme. */
export type Verdict<Caller = unknown> = Identified<Caller> | Refusal | Halted;

/** The service goes no further with this user: too many requests, or too many calls at work. */
export interface Halted {
  readonly kind: "halted";
}

export interface Identified<Caller = unknown> {
  readonly kind: "identity";
  readonly identity: Identity<Caller>;
  /**
   * Distinguishes this request from others of the same caller, method and payload (D-24): a repetition has the same.
   * Default: the request's id, where its protocol has one that says so.
   */
  readonly requestIdentity?: string;
  /** The configuration names the caller, who has proved nothing: the request is counted for nobody. */
  readonly isUnproven?: true;
}

export type Refusal =
  /** `reason` is for the service's log: plain words, never a part of a credential. */
  | { readonly kind: CredentialFault; readonly reason?: string; readonly detail?: FaultDetail }
  /** The credentials are good, and their owner has used more of them than are remembered. */
  | Extract<NotTaken, { readonly kind: "exhausted" }>;

/** What a protocol whose answers tell faults apart may say of one. JSON-RPC answers all of them alike. */
export interface FaultDetail {
  /** What is refused. Default: the credential. */
  readonly part?: "credential" | "key" | "signature";
  /** The member of `params.api` that is missing or malformed (D-06). */
  readonly member?: string;
  /** A machine word that narrows it: `data.reason`. */
  readonly word?: string;
  /** Who the call says it is from: nothing of it was verified. For log lines. */
  readonly claimed?: { readonly userName?: string; readonly keyId?: string };
}

/** A scheme at work in one interface. */
export interface AuthScheme<Caller = unknown> {
  /** `request`: once for each HTTP request or handshake. `call`: for each call, with `evidence.call`. */
  readonly verifies: "request" | "call";
  /**
   * Whether credentials prove an identity once: a nonce, a time stamp that is soon too old. A WebSocket keeps that identity.
   * Others are verified again every minute while it is open, so that what was revoked ends.
   */
  readonly provesOnce?: boolean;
  /** Its part of `WWW-Authenticate` (RFC 9110, section 11.6.1); absent where HTTP knows no such scheme. */
  readonly challenge?: string;
  /**
   * Verifies a request. A scheme with a key beside the credential tells `observer` of the user first (D-05).
   * @throws Error where the scheme itself cannot work (keys unreachable, lookup failed): the call is `unavailable`.
   */
  verify(evidence: Evidence, observer?: AuthObserver): Verdict<Caller> | Promise<Verdict<Caller>>;
}

/** A scheme as an application supplies it: `jwt({jwks, caller})`. `kind` is the one that the spec declares. */
export interface SchemeVerifier<Kind extends string = string, Caller = unknown> {
  readonly kind: Kind;
  /** @throws Error at the start of the service, where the options do not fit what the spec declares. */
  bind(declared: SchemeDescriptor, binding: SchemeBinding): AuthScheme<Caller>;
}

/** The settings of a scheme when the service starts. */
export interface SchemeBinding {
  /** Name of the scheme in the spec, for messages. */
  readonly scheme: string;
  /** Name of the interface. */
  readonly realm: string;
  readonly clock: AuthClock;
  readonly replays: ReplayRegister;
  /** Users and keys of the store; absent in a service that has none. */
  readonly services?: AuthServices;
}

export interface AuthClock {
  /** Unix time in milliseconds. */
  now(): number;
}

/**
 * Verifiers for the schemes of an interface, by name. Each is of the kind that the spec declares and finds the caller
 * that the application's handlers expect.
 */
export type VerifiersOf<Schemes, Callers = object> = {
  readonly [Name in keyof Schemes]: SchemeVerifier<
    KindOf<Schemes[Name]>,
    Name extends keyof Callers ? Callers[Name] : unknown
  >;
};

type KindOf<Scheme> = Scheme extends { readonly kind: infer Kind extends string } ? Kind : string;

/** The caller that a verifier finds: `callers: { user: CallerOf<typeof user> }`. */
export type CallerOf<Verifier> = Verifier extends SchemeVerifier<string, infer Caller> ? Caller : never;

/** `context.auth` where the types of the callers are not known: identities by the scheme's name. */
export type AuthIdentities = Readonly<Record<string, Identity>>;

/** The result of authentication for one call. */
export type AuthOutcome =
  | Granted
  /** The same for every fault. `challenges` are the values of `WWW-Authenticate`, one header line each. */
  | {
      readonly kind: "unauthenticated";
      readonly challenges: readonly string[];
      /** The refusal by the scheme that the caller has tried, for protocols that tell. */
      readonly refusal: Refusal;
    }
  | { readonly kind: "forbidden" }
  /** The caller has used more credentials than are remembered. */
  | { readonly kind: "exhausted"; readonly retryAfterMs: number }
  | Halted
  /** A scheme itself failed; the reason has been reported. */
  | { readonly kind: "unavailable"; readonly cause: unknown };

export interface Granted extends Pick<Identified, "requestIdentity" | "isUnproven"> {
  readonly kind: "granted";
  readonly auth: AuthIdentities;
}
