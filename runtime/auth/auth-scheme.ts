import type { Fault, JsonValue, MethodDescriptor } from "../contract/index.ts";
import type { Envelope } from "../protocol/signed-envelope/envelope.ts";
import type { Caller } from "../service/handler-context.ts";
import type { RawRequest } from "../protocol/signed-envelope/raw-request.ts";

/**
 * Port: how an interface knows its callers. Adapters are in `runtime/auth`; `test/auth-contract` holds each of them to
 * what is written here.
 */
export interface AuthScheme {
  /**
   * Verifies a call. Calls `observer.identified` once, after the credential and before the key (D-05), and nothing of
   * the payload is believed before. Throws an `AuthFault` for whatever is wrong with the call; any other error is a
   * failure of the service. Errors that `observer` throws pass through.
   */
  authenticate(call: AuthCall, observer: AuthObserver): Promise<Authenticated>;
}

/** A decoded call. Nothing of it is believed yet. */
export interface AuthCall {
  /** The method as the caller's revision has it. */
  readonly method: MethodDescriptor;
  /** The method's name in the current revision. */
  readonly currentMethod: string;
  readonly envelope: Envelope;
  readonly request: RawRequest;
  /** The member of the payload that has this name in the current revision, whatever its spelling (D-11). */
  payloadField(currentName: string): JsonValue | undefined;
}

/** Receives the progress of authentication. */
export interface AuthObserver {
  /**
   * The credential is this user's: counts the request against its rate. Throws where that is exceeded (D-45). Gives a
   * promise where the user has too many calls at work; a scheme does nothing further before it is kept.
   */
  identified(userName: string): void | Promise<void>;
  /** The key that must have signed is registered under this identifier. For log lines. */
  keyFound(keyId: string): void;
}

/** Who calls, and what the credential allows. */
export interface Authenticated {
  readonly caller: Caller;
  /** Method names, `Service.*` or `*` (D-19). */
  readonly scopes: readonly string[];
  /**
   * Distinguishes this request from others of the same caller, method and payload (D-24): a repetition has the same. Absent
   * where nothing does; then repetitions of a `create` call are not recognised.
   */
  readonly requestIdentity?: string;
}

/** A fault of a call: a condition of the interface, or a member of `params.api` (D-06). */
export type AuthFaultDetail =
  | {
      readonly fault: Exclude<Fault, "badInput" | "conflict" | "internal">;
      /** A machine word that narrows it: `data.reason`. */
      readonly reason?: string;
      /** Sent as `Retry-After`. */
      readonly retryAfterSeconds?: number;
    }
  | { readonly member: string; readonly reason: "missing" | "malformed" };

/** Who a call says it is from, as it was sent: nothing of it was verified. */
export interface ClaimedCaller {
  readonly userName?: string;
  readonly keyId?: string;
}

/** Thrown by schemes. The interface gives each fault and each member its code; the log shows `claimed`. */
export class AuthFault extends Error {
  override readonly name = "AuthFault";
  readonly detail: AuthFaultDetail;
  readonly claimed: ClaimedCaller;

  constructor(detail: AuthFaultDetail, claimed: ClaimedCaller = {}) {
    super("member" in detail ? `${detail.member} is ${detail.reason}` : (detail.reason ?? detail.fault));
    this.detail = detail;
    this.claimed = claimed;
  }
}
