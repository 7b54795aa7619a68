import type { AuthClock, AuthIdentities, Evidence, ReplayRegister, SchemeVerifier } from "../auth/port.ts";
import type { AuthEvent } from "../auth/authenticator.ts";
import type { AuthServices } from "../auth/auth-services.ts";
import type { JsonRpcTransport, Notifier } from "../contract/index.ts";
import type { ServedMethod } from "../protocol/port.ts";
import type { Tracer } from "../platform/tracer.ts";

/**
 * Any handler, its types forgotten. Written as a method on purpose. The generated validator and handler type come
 * from the same spec, and the table by method name is where the two meet.
 */
export type AnyHandler = {
  handle(payload: object, context: object): Promise<unknown>;
}["handle"];

/** The handlers of an interface by the names of the methods on the wire. */
export type AnyHandlers<Handlers> = { readonly [Name in keyof Handlers]: AnyHandler };

/** Facts of a call for the application's context and for counting. */
export interface CallInfo {
  /** As the current revision has it. */
  readonly method: Pick<ServedMethod, "name" | "effect">;
  readonly transport: JsonRpcTransport;
  /** Identities by the name of the scheme; none where the method is open. */
  readonly auth: AuthIdentities;
  /** The request or handshake as it arrived. */
  readonly evidence: Evidence;
  /**
   * Aborts when the time for the message is over: what the handler does from then on is rolled back. For a method with
   * `effect: read` it also aborts when the caller has left; what changes something is carried out.
   */
  readonly signal: AbortSignal;
}

/** Members of every handler's context beside `error` and the application's own. */
export interface CallContext {
  readonly auth: AuthIdentities;
  readonly signal: AbortSignal;
  /** Sends a notification over the connection of the call. Absent over HTTP, which has no way back. */
  readonly notify?: Notifier;
}

export interface ServiceOptions {
  /** A verifier for each authentication scheme of the interface. */
  readonly auth?: Readonly<Record<string, SchemeVerifier>>;
  /** Makes the application's part of the context, once for each call. */
  readonly context?: (call: CallInfo) => object | Promise<object>;
  /** Gives each call a transaction. Default: none, and no memory of repetitions. */
  readonly store?: Store;
  readonly limits?: ServiceLimits;
  /** Bounds the calls of one caller. Default: no bound. */
  readonly rate?: RateOptions;
  /** Whether `rpc.discover` answers with the OpenRPC document of the interface. Default: true. */
  readonly discover?: boolean;
  /** Checks the results of handlers. Default: true, unless `NODE_ENV` is `production`. */
  readonly checkResults?: boolean;
  /** Receives failures that callers do not learn of. Default: one line each on standard error. */
  readonly onFailure?: (failure: Failure) => void;
  /** Receives one report for each call. */
  readonly onCall?: (report: CallReport) => void;
  /** Receives what authentication refused and why. */
  readonly onAuth?: (event: AuthEvent) => void;
  readonly clock?: AuthClock;
  /** Nonces and signatures that were used. Several processes of one service need a shared register. */
  readonly replays?: ReplayRegister;
}

/** What the engine gives its services beside. */
export interface EngineOptions extends ServiceOptions {
  /** Whose credentials are taken. Default: the interface's. */
  readonly realm?: string;
  /** Users and keys of the store. */
  readonly services?: AuthServices;
  /** The user behind identities: who is counted, and has a share of the calls at work. */
  readonly userOf?: (auth: AuthIdentities) => string | undefined;
  /** Absent: calls are not traced. */
  readonly tracer?: Tracer;
}

export interface ServiceLimits {
  /** Bytes of one message. Default 1 MiB. */
  readonly messageBytes?: number;
  /** Nesting of objects and arrays. Default 64. */
  readonly depth?: number;
  /** Calls worked on at once. Default 128. */
  readonly callsAtOnce?: number;
  /** Calls that wait for others. Further ones are answered as unavailable. Default 1024. */
  readonly callsQueued?: number;
  /** Longest time for one message, a batch as a whole included. Default 30,000. */
  readonly timeoutMs?: number;
  /**
   * Bytes of answers that unfinished batches hold, over all callers. Beyond it, the calls of a batch that have not begun
   * are answered as unavailable. Default 64 MiB.
   */
  readonly batchAnswersBytes?: number;
}

export interface RateOptions {
  /** Calls of one caller in a minute, those of a batch one by one. */
  readonly callsPerMinute: number;
  /** How many of them may come at once. Default: `callsPerMinute`. */
  readonly burst?: number;
  /** Who is counted; undefined: nobody. Default: the address of the other end. */
  readonly keyOf?: (call: Pick<CallInfo, "auth" | "evidence">) => string | undefined;
}

/** A failure of the service's own: a bug, a store that is down, a result that does not fit the spec. */
export interface Failure {
  readonly interfaceName: string;
  /** Absent where it is not the failure of one method. */
  readonly method?: string;
  readonly error: unknown;
  /** The request that it came of, as the transport names it. */
  readonly requestId?: string;
  /** The sent message, for a log line that holds nothing of it. */
  readonly sent?: Uint8Array;
}

/** What of a caller was refused: the whole credential, the key, or the signature. */
export const signInFaults = ["credential", "key", "signature"] as const;
export type SignInFault = (typeof signInFaults)[number];

/** A call whose caller is not who it claims to be. What it claims is bounded and escaped for a log line. */
export interface FailedSignIn {
  readonly fault: SignInFault;
  /** Absent where the verified one is known, or nothing was claimed. */
  readonly claimedUser?: string;
  readonly claimedKey?: string;
}

/** What is known of a call while it is under way. */
export interface CallFacts {
  /** Verified: credential and key are this user's. */
  userName?: string;
  /** The key was found to be the user's. */
  keyId?: string;
  failedSignIn?: FailedSignIn | undefined;
  /** Headers of the answer. */
  headers: Readonly<Record<string, string>>;
}

/** The other end: who sent an HTTP request, or keeps a connection open. */
export interface Peer {
  readonly transport: JsonRpcTransport;
  readonly evidence: Evidence;
  /** Absent where there is no way back. */
  readonly notify?: Notifier;
  /** Receives one report for each of its calls. */
  readonly onCall?: (report: CallReport) => void;
  /** Names the request in logs, and in answers of internal errors where the protocol says so. */
  readonly requestId?: string;
  /**
   * Asked once the caller is known: waits while this user has too many calls at work. Gives false where that takes too
   * long. Present where the transport bounds the calls at work; else the service does.
   */
  readonly admit?: (userName: string) => boolean | Promise<boolean>;
}

/** One call, without payload, id or credentials. */
export interface CallReport {
  readonly interfaceName: string;
  /** Absent where there is no such method. */
  readonly method?: string;
  readonly transport: JsonRpcTransport;
  readonly isNotification: boolean;
  /** `ok`, the name of the error, or `abandoned`: the caller of a method that only reads has left. */
  readonly outcome: string;
  /** Verified: credential and key are this user's. */
  readonly userName?: string;
  readonly keyId?: string;
  readonly failedSignIn?: FailedSignIn;
  /** The code of the error, and the machine word that narrows it. */
  readonly code?: string;
  readonly reason?: string;
  readonly elapsedMs: number;
}

/**
 * Where an application keeps its state. `read` calls run inside `read`, all others inside `write`; the own members of
 * what `run` is given become members of the handler's context: `run({ tx })`. A `run` that rejects is rolled back.
 */
export interface Store<View extends object = object, Transaction extends object = object> {
  read<Result>(run: (view: View) => Promise<Result>, call: CallInfo): Promise<Result>;
  write<Result>(run: (transaction: Transaction) => Promise<Result>, call: CallInfo): Promise<Result>;
  /** Remembers calls with an `Idempotency-Key`. Absent: the header is ignored. */
  readonly repetitions?: Repetitions<Transaction>;
}

/** Written as methods, so that the type of the transaction may be forgotten. */
export interface Repetitions<Transaction extends object = object> {
  /** Who repeats. Must not be the same for two callers. `auth` is empty where a method is open. */
  ownerOf(auth: AuthIdentities): string;
  find(transaction: Transaction, key: RepetitionKey): Promise<Repetition | undefined>;
  /** False where the key was kept meanwhile: then the call is rolled back, and answered from what was kept. */
  keep(transaction: Transaction, key: RepetitionKey, repetition: Repetition): Promise<boolean>;
}

/** Unique together. */
export interface RepetitionKey {
  readonly interfaceName: string;
  readonly owner: string;
  /** The value of `Idempotency-Key`, followed by the position in the batch: `abc#2`. */
  readonly key: string;
}

export interface Repetition {
  /** SHA-256 of what was asked for, in hexadecimal. */
  readonly requestHash: string;
  /** The result as JSON. */
  readonly resultText: string;
  /** The revision in whose words it is. Absent: the one that asks. */
  readonly revision?: string;
}
