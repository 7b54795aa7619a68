import { omitUndefined, type Fault, type JsonValue, type MethodDescriptor } from "../../contract/index.ts";
import type { AuthObserver, AuthScheme, Evidence, Refusal } from "../../auth/port.ts";
import type { Caller } from "../../auth/auth-services.ts";
import type { Envelope } from "../../protocol/signed-envelope/envelope.ts";
import type { RawRequest } from "../../protocol/signed-envelope/raw-request.ts";
import type { CallContext } from "./call-context.ts";
import { foldName } from "../../protocol/signed-envelope/decode.ts";
import { PipelineFault, type FaultFactory } from "../../protocol/signed-envelope/fault.ts";
import type { SignInFault } from "../../protocol/signed-envelope/raw-exchange.ts";
import type { RateLimiter } from "./rate-limiter.ts";

/** A call whose caller is known. */
export interface AuthenticatedCall {
  readonly method: MethodDescriptor;
  readonly envelope: Envelope;
  readonly caller: Caller;
  /** Method names, `Service.*` or `*` (D-19). */
  readonly scopes: readonly string[];
  /** Distinguishes this request from others of the same caller, method and payload (D-24). */
  readonly requestIdentity?: string;
}

/** A method, and what it and its payload are called in the current revision. */
export interface AuthTarget {
  readonly method: MethodDescriptor;
  readonly currentMethod: string;
  /** The name that a field of the current revision's payload has in this one's. */
  fieldName(currentName: string): string;
}

export interface AuthenticateOptions {
  readonly scheme: AuthScheme<Caller>;
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
  const evidence = evidenceOf(request, {
    method: method.name,
    signed: {
      method,
      currentMethod,
      envelope,
      payloadField: (currentName) => memberOf(envelope, target.fieldName(currentName)),
    },
  });
  const progress = observe(request, context, options);
  const verdict = await options.scheme.verify(evidence, progress.observer);
  if (verdict.kind !== "identity") throw faultOf(verdict, context, options);
  const { caller, scopes } = verdict.identity;
  if (verdict.isUnproven !== true) progress.done(caller.userName);
  await progress.turn();
  const requestIdentity =
    verdict.requestIdentity ?? (envelope.kind === "enveloped" ? envelope.id : undefined);
  return { method, envelope, caller, scopes, ...omitUndefined({ requestIdentity }) };
}

function evidenceOf({ body, httpMethod, target, header }: RawRequest, call: Evidence["call"]): Evidence {
  const valuesOf = (name: string): readonly string[] => {
    const value = header(name);
    return value === undefined ? [] : [value];
  };
  return { body, httpMethod, target, header: valuesOf, ...omitUndefined({ call }) };
}

/** The error for a refusal. Notes for the log a caller who is not who it claims to be, and not one who is incomplete. */
function faultOf(
  refusal: Refusal,
  context: CallContext,
  { missingAuth, fault }: AuthenticateOptions,
): PipelineFault {
  if (refusal.kind === "exhausted") {
    const seconds = Math.max(1, Math.ceil(refusal.retryAfterMs / 1000));
    context.headers = { ...context.headers, "Retry-After": String(seconds) };
    return fault("rateLimited", { reason: "nonces-exhausted" });
  }
  const { kind, detail: { member, part = "credential", word, claimed = {} } = {} } = refusal;
  if (member !== undefined) {
    return new PipelineFault(missingAuth[member] ?? fault("unauthorized").code, { reason: kind });
  }
  if (kind === "missing") return fault("badCredential", { reason: kind });
  const { userName, keyId } = context;
  context.failedSignIn = {
    fault: part,
    ...omitUndefined({
      claimedUser: userName === undefined ? shownClaim(claimed.userName) : undefined,
      claimedKey: keyId === undefined ? shownClaim(claimed.keyId) : undefined,
    }),
  };
  return fault(partFaults[part], omitUndefined({ reason: word }));
}

const partFaults = {
  credential: "badCredential",
  key: "unknownKey",
  signature: "invalidSignature",
} as const satisfies Record<SignInFault, Fault>;

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

/** Notes who calls. `turn` ends once the user may go on: not every scheme waits for it, and `done` names whom none named. */
function observe(
  request: RawRequest,
  context: CallContext,
  { fault, limit }: Pick<AuthenticateOptions, "fault" | "limit">,
): { readonly observer: AuthObserver; done(userName: string): void; turn(): Promise<void> | undefined } {
  let turn: Promise<void> | undefined;
  let isNamed = false;

  async function refuseUnless(admitted: boolean | Promise<boolean>): Promise<void> {
    if (await admitted) return;
    context.headers = { ...context.headers, "Retry-After": retryAfterSeconds };
    throw fault("unavailable", { reason: "too-many-calls" });
  }

  const observer: AuthObserver = {
    identified(userName) {
      isNamed = true;
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
  return {
    observer,
    done: (userName) => void (isNamed || observer.identified(userName)),
    turn: () => turn,
  };
}

/** A member of the payload, whatever the case of its name (D-11). */
function memberOf({ payload }: Envelope, name: string): JsonValue | undefined {
  const folded = foldName(name);
  const spelled = Object.keys(payload).find((key) => foldName(key) === folded);
  return spelled === undefined ? undefined : payload[spelled];
}
