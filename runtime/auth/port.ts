import type { Identity, SchemeDescriptor } from "../contract/index.ts";

export type { Identity };

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
}

/** Why there is no identity. `missing`: the request does not try this scheme at all. */
export type CredentialFault = "missing" | "malformed" | "rejected" | "expired" | "replayed";

/** The result of a scheme. `reason` is for the service's log: plain words, never a part of a credential. */
export type Verdict<Caller = unknown> =
  | { readonly kind: "identity"; readonly identity: Identity<Caller> }
  | { readonly kind: CredentialFault; readonly reason?: string };

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
  /** @throws Error where the scheme itself cannot work (keys unreachable, lookup failed): the call is `unavailable`. */
  verify(evidence: Evidence): Verdict<Caller> | Promise<Verdict<Caller>>;
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
}

export interface AuthClock {
  /** Unix time in milliseconds. */
  now(): number;
}

/**
 * The register of nonces that have been used once and must not be used again. The one in memory serves one process;
 * several need a shared one.
 */
export interface ReplayRegister {
  /** Takes a nonce of an owner until it expires. `full`: the owner has too many that have not expired. */
  take(record: ReplayRecord): Promise<"taken" | "replayed" | "full"> | "taken" | "replayed" | "full";
}

export interface ReplayRecord {
  /** Whose nonce: the scheme and its key, never of the caller's choosing alone. */
  readonly owner: string;
  readonly nonce: string;
  /** Unix time in milliseconds. */
  readonly expiresAtMs: number;
}

/**
 * Verifiers for the schemes of an interface: each by its name, of the kind that the spec declares, finding the caller
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
  | { readonly kind: "granted"; readonly auth: AuthIdentities }
  /** The same for every fault. `challenges` are the values of `WWW-Authenticate`, one header line each. */
  | { readonly kind: "unauthenticated"; readonly challenges: readonly string[] }
  | { readonly kind: "forbidden" }
  /** A scheme itself failed; the reason has been reported. */
  | { readonly kind: "unavailable" };
