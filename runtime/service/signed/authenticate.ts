import { omitUndefined, type Fault, type JsonValue, type MethodDescriptor } from "../../contract/index.ts";
import {
  AuthFault,
  type AuthCall,
  type Authenticated,
  type AuthObserver,
  type AuthScheme,
} from "../../auth/auth-scheme.ts";
import type { Envelope } from "../../protocol/signed-envelope/envelope.ts";
import type { RawRequest } from "../../protocol/signed-envelope/raw-request.ts";
import type { CallContext } from "./call-context.ts";
import { foldName } from "../../protocol/signed-envelope/decode.ts";
import { PipelineFault, type FaultFactory } from "../../protocol/signed-envelope/fault.ts";
import type { FailedSignIn, SignInFault } from "../../protocol/signed-envelope/raw-exchange.ts";
import type { RateLimiter } from "./rate-limiter.ts";

/** A call whose caller is known. */
export interface AuthenticatedCall extends Authenticated {
  readonly method: MethodDescriptor;
  readonly envelope: Envelope;
}

/** A method, and what it and its payload are called in the current revision. */
export interface AuthTarget {
  readonly method: MethodDescriptor;
  readonly currentMethod: string;
  /** The name that a field of the current revision's payload has in this one's. */
  fieldName(currentName: string): string;
}

export interface AuthenticateOptions {
  readonly scheme: AuthScheme;
  /** The code of each member of `params.api` (D-06). */
  readonly missingAuth: Readonly<Record<string, string>>;
  readonly fault: FaultFactory;
  /** Counts the requests of each credential (D-45). */
  readonly limit: RateLimiter | undefined;
}

/** Seconds until a user with too many calls at once may try again: `Retry-After`. */
const retryAfterSeconds = "1";

/**
 * Envelope → AuthenticatedCall: asks the interface's scheme. Once the caller is known, counts the request and waits for
 * the user's share of the calls at work.
 */
export async function authenticate(
  target: AuthTarget,
  envelope: Envelope,
  request: RawRequest,
  context: CallContext,
  options: AuthenticateOptions,
): Promise<AuthenticatedCall> {
  const { method, currentMethod } = target;
  const { scheme, missingAuth, fault } = options;
  const call: AuthCall = {
    method,
    currentMethod,
    envelope,
    request,
    payloadField: (currentName) => memberOf(envelope, target.fieldName(currentName)),
  };
  const progress = observe(request, context, options);
  try {
    const authenticated = await scheme.authenticate(call, progress.observer);
    await progress.turn();
    return { method, envelope, ...authenticated };
  } catch (error) {
    if (!(error instanceof AuthFault)) throw error;
    const failed = failedSignIn(error, context);
    if (failed !== undefined) context.failedSignIn = failed;
    throw faultOf(error);
  }

  function faultOf({ detail }: AuthFault): PipelineFault {
    if ("member" in detail) {
      return new PipelineFault(missingAuth[detail.member] ?? fault("unauthorized").code, {
        reason: detail.reason,
      });
    }
    const { reason, retryAfterSeconds } = detail;
    if (retryAfterSeconds !== undefined) {
      context.headers = { ...context.headers, "Retry-After": String(retryAfterSeconds) };
    }
    return fault(detail.fault, reason === undefined ? {} : { reason });
  }
}

const signInFaults: Readonly<Partial<Record<Fault, SignInFault>>> = {
  badCredential: "credential",
  unknownKey: "key",
  invalidSignature: "signature",
};

/** What the log says of a caller who is not who it claims to be. Absent where a call is only incomplete. */
function failedSignIn(
  { detail, claimed }: AuthFault,
  { userName, keyId }: CallContext,
): FailedSignIn | undefined {
  const fault = "member" in detail ? undefined : signInFaults[detail.fault];
  if (fault === undefined) return undefined;
  return omitUndefined({
    fault,
    claimedUser: userName === undefined ? shownClaim(claimed.userName) : undefined,
    claimedKey: keyId === undefined ? shownClaim(claimed.keyId) : undefined,
  });
}

const claimCharactersMax = 80;

/** A name that a stranger wrote: 80 characters at most, and no controls, formats or ends of lines, which are `\u{...}`. */
function shownClaim(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const start = text.slice(0, claimCharactersMax);
  const shown = start.replaceAll(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return start === text ? shown : `${shown}…`;
}

/** Notes who calls. `turn` ends once the user may go on: not every scheme waits for it. */
function observe(
  request: RawRequest,
  context: CallContext,
  { fault, limit }: Pick<AuthenticateOptions, "fault" | "limit">,
): { readonly observer: AuthObserver; turn(): Promise<void> | undefined } {
  let turn: Promise<void> | undefined;

  async function refuseUnless(admitted: boolean | Promise<boolean>): Promise<void> {
    if (await admitted) return;
    context.headers = { ...context.headers, "Retry-After": retryAfterSeconds };
    throw fault("unavailable", { reason: "too-many-calls" });
  }

  const observer: AuthObserver = {
    identified(userName) {
      context.userName = userName;
      if (limit !== undefined) {
        const { allowed, headers } = limit(userName);
        context.headers = headers;
        if (!allowed) throw fault("rateLimited");
      }
      const admitted = request.admit?.(userName) ?? true;
      if (admitted === true) return undefined;
      turn = refuseUnless(admitted);
      turn.catch(() => {});
      return turn;
    },
    keyFound(keyId) {
      context.keyId = keyId;
    },
  };
  return { observer, turn: () => turn };
}

/** A member of the payload, whatever the case of its name (D-11). */
function memberOf({ payload }: Envelope, name: string): JsonValue | undefined {
  const folded = foldName(name);
  const spelled = Object.keys(payload).find((key) => foldName(key) === folded);
  return spelled === undefined ? undefined : payload[spelled];
}
