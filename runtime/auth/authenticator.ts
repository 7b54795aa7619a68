import type { SchemeDescriptor, SecurityAlternative } from "../contract/index.ts";
import { omitUndefined } from "../contract/index.ts";
import type { AuthServices } from "./auth-services.ts";
import type {
  AuthClock,
  AuthObserver,
  AuthOutcome,
  AuthScheme,
  CallEvidence,
  CredentialFault,
  Evidence,
  Granted,
  Halted,
  Identity,
  Refusal,
  ReplayRegister,
  SchemeBinding,
  SchemeVerifier,
  Verdict,
} from "./port.ts";
import { createReplayRegister } from "./replays.ts";

/** The part of an interface that authentication needs. */
export interface SecuredInterface {
  readonly name: string;
  readonly schemes: Readonly<Record<string, SchemeDescriptor>>;
  readonly methods: readonly SecuredMethod[] | Readonly<Record<string, SecuredMethod>>;
}

export interface AuthenticatorOptions {
  readonly clock?: AuthClock;
  /** Nonces and signatures that were used; in memory if absent. */
  readonly replays?: ReplayRegister;
  /** Receives what was refused and why. */
  readonly onEvent?: (event: AuthEvent) => void;
  /** Whose credentials are taken. Default: the interface's. */
  readonly realm?: string;
  /** Users and keys of a store. */
  readonly services?: AuthServices;
}

export interface Authenticator {
  /** For one HTTP request, or for one WebSocket connection with the evidence of its handshake. */
  begin(evidence: Evidence): RequestAuth;
}

/**
 * Binds the verifiers to the schemes of an interface.
 * @throws Error where a scheme has no verifier, one of another kind, or one whose options do not fit the spec.
 */
export function createAuthenticator(
  descriptor: SecuredInterface,
  verifiers: Readonly<Record<string, SchemeVerifier>>,
  options: AuthenticatorOptions = {},
): Authenticator {
  const clock = options.clock ?? { now: () => Date.now() };
  const replays = options.replays ?? createReplayRegister({ clock });
  const { realm = descriptor.name, services } = options;
  const schemes = bindSchemes(descriptor, verifiers, omitUndefined({ realm, clock, replays, services }));
  checkMethods(descriptor, schemes);
  const report = options.onEvent ?? (() => undefined);
  return { begin: (evidence) => beginRequest({ schemes, clock, report }, evidence) };
}

function bindSchemes(
  { name, schemes }: SecuredInterface,
  verifiers: Readonly<Record<string, SchemeVerifier>>,
  binding: Omit<SchemeBinding, "scheme">,
): ReadonlyMap<string, AuthScheme> {
  const bound = Object.entries(schemes).map(([scheme, declared]): [string, AuthScheme] => {
    const verifier = Object.hasOwn(verifiers, scheme) ? verifiers[scheme] : undefined;
    if (verifier === undefined) {
      throw new Error(
        `the ${name} interface declares the authentication scheme ${scheme} (${declared.kind}), and has no verifier ` +
          `for it: add \`${scheme}\` to the \`auth\` option`,
      );
    }
    if (verifier.kind !== declared.kind) {
      throw new Error(
        `the authentication scheme ${scheme} of the ${name} interface is of kind ${declared.kind}, its verifier is ` +
          `of kind ${verifier.kind}: give \`auth.${scheme}\` a verifier of kind ${declared.kind}`,
      );
    }
    return [scheme, verifier.bind(declared, { scheme, ...binding })];
  });
  for (const scheme of Object.keys(verifiers)) {
    if (Object.hasOwn(schemes, scheme)) continue;
    const known = Object.keys(schemes).join(", ");
    throw new Error(
      `the \`auth\` option has a verifier ${scheme}, which is no authentication scheme of the ${name} interface: ` +
        (known === "" ? "the interface has none" : `it has ${known}`),
    );
  }
  return new Map(bound);
}

/** Generated code cannot name an undeclared scheme; a descriptor written by hand can. */
function checkMethods({ name, methods }: SecuredInterface, schemes: ReadonlyMap<string, AuthScheme>): void {
  for (const method of Object.values(methods)) {
    for (const scheme of method.security.flatMap((alternative) => Object.keys(alternative))) {
      if (schemes.has(scheme)) continue;
      throw new Error(
        `the method ${method.name} of the ${name} interface needs the authentication scheme ${scheme}, which the ` +
          "interface does not declare: declare it under `schemes`, and generate the code again",
      );
    }
  }
}

export interface SecuredMethod {
  readonly name: string;
  readonly security: readonly SecurityAlternative[];
}

/** Decides on the calls of one request. A scheme that verifies requests runs once, when a call first needs it. */
export interface RequestAuth {
  authorize(method: SecuredMethod, call: CallEvidence, observer?: AuthObserver): Promise<AuthOutcome>;
}

/** A refused call or a failure, for the service's log. Holds no part of a credential. */
export interface AuthEvent {
  readonly scheme: string;
  readonly method: string;
  readonly result: Exclude<CredentialFault, "missing"> | "exhausted" | "forbidden" | "failed";
  readonly reason?: string;
}

export interface RequestAuthParts {
  readonly schemes: ReadonlyMap<string, AuthScheme>;
  readonly clock: AuthClock;
  readonly report: (event: AuthEvent) => void;
}

/** A scheme's verdict, or that the scheme itself failed. */
type Verified = Verdict | Failed;
type Failed = { readonly kind: "failed"; readonly reason: string; readonly cause: unknown };

/** The result of an alternative that does not hold. */
type Attempt = Refusal | Failed | Halted | { readonly kind: "forbidden" };

/** How long the credentials of a connection hold until they are verified again. */
const verifiedAgainMs = 60_000;

/** Authentication of one HTTP request or WebSocket connection. */
// oxlint-disable-next-line max-lines-per-function -- the calls of one request share its verdicts
export function beginRequest({ schemes, clock, report }: RequestAuthParts, evidence: Evidence): RequestAuth {
  const verified = new Map<string, { readonly verdict: Promise<Verified>; readonly atMs: number }>();

  function verdictOf(name: string, call: CallEvidence, observer?: AuthObserver): Promise<Verified> {
    const scheme = schemeNamed(schemes, name);
    if (scheme.verifies === "call") return verify(scheme, { ...evidence, call }, observer);
    return verdictOfRequest(name, scheme, observer);
  }

  async function verdictOfRequest(
    name: string,
    scheme: AuthScheme,
    observer: AuthObserver | undefined,
  ): Promise<Verified> {
    const known = await verdictOnRequest(name, scheme, observer);
    // A connection outlives a failure of the scheme, and too many calls: the next call tries again.
    if (known.kind === "failed" || known.kind === "halted") verified.delete(name);
    return hasExpired(known, clock) ? { kind: "expired" } : known;
  }

  /** A connection outlives the credentials that opened it: they are verified again from time to time. */
  function verdictOnRequest(
    name: string,
    scheme: AuthScheme,
    observer: AuthObserver | undefined,
  ): Promise<Verified> {
    const nowMs = clock.now();
    const before = verified.get(name);
    // A clock may be set back.
    const isFresh = before !== undefined && Math.abs(nowMs - before.atMs) < verifiedAgainMs;
    if (before !== undefined && (isFresh || scheme.provesOnce === true)) return before.verdict;
    const verdict = verify(scheme, evidence, observer);
    verified.set(name, { verdict, atMs: nowMs });
    return verdict;
  }

  async function attempt(
    alternative: SecurityAlternative,
    method: string,
    call: CallEvidence,
    observer: AuthObserver | undefined,
  ): Promise<Granted | Attempt> {
    const auth: Record<string, Identity> = {};
    let [requestIdentity, isUnproven]: [string | undefined, true | undefined] = [undefined, undefined];
    let lacking: string | undefined;
    for (const [scheme, scopes] of Object.entries(alternative)) {
      const verdict = await verdictOf(scheme, call, observer);
      if (verdict.kind !== "identity") {
        if (verdict.kind === "missing" || verdict.kind === "halted") return verdict;
        report(eventOf(scheme, method, verdict.kind, "reason" in verdict ? verdict.reason : undefined));
        return verdict;
      }
      const { identity } = verdict;
      if (scopes.some((scope) => !identity.scopes.includes(scope))) lacking ??= scheme;
      auth[scheme] = identity;
      requestIdentity = verdict.requestIdentity ?? requestIdentity;
      isUnproven = verdict.isUnproven ?? isUnproven;
    }
    if (lacking === undefined)
      return omitUndefined({ kind: "granted" as const, auth, requestIdentity, isUnproven });
    report(eventOf(lacking, method, "forbidden"));
    return { kind: "forbidden" };
  }

  return {
    async authorize(method, call, observer) {
      const attempts: Attempt[] = [];
      for (const alternative of method.security) {
        if (isEmpty(alternative)) continue;
        const attempted = await attempt(alternative, method.name, call, observer);
        if (attempted.kind === "granted" || attempted.kind === "halted") return attempted;
        attempts.push(attempted);
      }
      return outcomeOf(attempts, method, schemes);
    },
  };
}

/** Where no alternative holds. Without credentials an optional method is granted, with no identity. */
function outcomeOf(
  attempts: readonly Attempt[],
  { security }: SecuredMethod,
  schemes: ReadonlyMap<string, AuthScheme>,
): AuthOutcome {
  const isOpen = security.length === 0 || security.some(isEmpty);
  const failed = attempts.find((attempt) => attempt.kind === "failed");
  if (failed !== undefined) return { kind: "unavailable", cause: failed.cause };
  const exhausted = attempts.find((attempt) => attempt.kind === "exhausted");
  if (exhausted !== undefined) return { kind: "exhausted", retryAfterMs: exhausted.retryAfterMs };
  if (isOpen && attempts.every(({ kind }) => kind === "missing" || kind === "forbidden"))
    return { kind: "granted", auth: {} };
  if (attempts.some(({ kind }) => kind === "forbidden")) return { kind: "forbidden" };
  const names = new Set(security.flatMap((alternative) => Object.keys(alternative)));
  const challenges = [...names].flatMap((name) => schemeNamed(schemes, name).challenge ?? []);
  const refusals = attempts.filter(isRefusal);
  const refusal = refusals.find(({ kind }) => kind !== "missing") ?? refusals[0] ?? { kind: "missing" };
  return { kind: "unauthenticated", challenges: [...new Set(challenges)], refusal };
}

function isRefusal(attempt: Attempt): attempt is Refusal {
  return attempt.kind !== "failed" && attempt.kind !== "halted" && attempt.kind !== "forbidden";
}

async function verify(scheme: AuthScheme, evidence: Evidence, observer?: AuthObserver): Promise<Verified> {
  try {
    return await scheme.verify(evidence, observer);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "the scheme threw no Error";
    return { kind: "failed", reason, cause };
  }
}

function schemeNamed(schemes: ReadonlyMap<string, AuthScheme>, name: string): AuthScheme {
  const scheme = schemes.get(name);
  if (scheme === undefined) throw new Error(`the authentication scheme ${name} is not bound`);
  return scheme;
}

function hasExpired(verdict: Verified, clock: AuthClock): boolean {
  const expiresAtMs = verdict.kind === "identity" ? verdict.identity.expiresAtMs : undefined;
  return expiresAtMs !== undefined && expiresAtMs <= clock.now();
}

function isEmpty(alternative: SecurityAlternative): boolean {
  return Object.keys(alternative).length === 0;
}

function eventOf(scheme: string, method: string, result: AuthEvent["result"], reason?: string): AuthEvent {
  return reason === undefined ? { scheme, method, result } : { scheme, method, result, reason };
}
