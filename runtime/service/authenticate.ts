import { omitUndefined, RetryLaterError } from "../contract/index.ts";
import type { AuthIdentities, AuthObserver, AuthOutcome, Granted, Halted, Refusal } from "../auth/port.ts";
import { refuse, type Refused } from "../protocol/port.ts";
import type { CallFacts, CallInfo, FailedSignIn, Peer, RateOptions } from "./options.ts";

export interface AuthenticateOptions {
  /** Counts the calls of each caller. */
  readonly limiter: RateLimiter | undefined;
  /** Who is counted where no user is known; undefined: nobody. */
  keyOf(call: Pick<CallInfo, "auth" | "evidence">): string | undefined;
  /** The user behind identities, where callers are users. */
  userOf?(auth: AuthIdentities): string | undefined;
  /** Receives why a scheme itself cannot work. */
  report(error: unknown): void;
}

/** Who calls, or why that is not to be known. */
export type Authenticate = (
  /** Absent: the method is open. */
  ask: ((observer: AuthObserver) => Promise<AuthOutcome>) | undefined,
  from: { readonly peer: Peer },
  facts: CallFacts,
) => Granted | Promise<Granted | Refused>;

const nobody: Granted = { kind: "granted", auth: {} };

/** Seconds until a user with too many calls at once may try again. */
const retryAfterS = 1;

/**
 * Asks the schemes of the interface. Counts the call as soon as someone is known, and then waits for the user's share of
 * the calls at work. Refused calls count too: guesses at credentials are bounded.
 */
export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const { keyOf, userOf, limiter } = options;

  async function identify(...[ask, from, facts]: Parameters<Authenticate>): Promise<Granted | Refused> {
    const progress = observe(from, facts, limiter);
    const outcome = ask === undefined ? nobody : await ask(progress.observer);
    const auth = outcome.kind === "granted" ? outcome.auth : {};
    if (!progress.isNamed() && !(outcome.kind === "granted" && outcome.isUnproven === true)) {
      const userName = userOf?.(auth);
      if (userName !== undefined) void progress.observer.identified(userName);
      else progress.count(keyOf({ auth, evidence: from.peer.evidence }));
    }
    await progress.turn();
    return (
      progress.refused() ?? (outcome.kind === "granted" ? outcome : refusalOf(outcome, facts, options.report))
    );
  }

  return (ask, from, facts) =>
    ask === undefined && limiter === undefined ? nobody : identify(ask, from, facts);
}

function refusalOf(
  outcome: Exclude<AuthOutcome, Granted>,
  facts: CallFacts,
  report: AuthenticateOptions["report"],
): Refused {
  switch (outcome.kind) {
    case "unauthenticated": {
      const { refusal: credential, challenges } = outcome;
      facts.failedSignIn = failedSignIn(credential, facts);
      return refuse("unauthenticated", { credential, challenges });
    }
    case "forbidden":
      return refuse("forbidden");
    case "exhausted": {
      const seconds = Math.max(1, Math.ceil(outcome.retryAfterMs / 1000));
      return refuse("rateLimited", { reason: "nonces-exhausted", retryAfterS: seconds });
    }
    case "halted":
      throw new Error("a scheme halts only where the observer says so");
    case "unavailable":
      // The store says by itself why it cannot work, and until when.
      if (outcome.cause instanceof RetryLaterError) throw outcome.cause;
      report(outcome.cause);
      return refuse("unavailable");
    default:
      return outcome satisfies never;
  }
}

/** The log's words for a caller who failed to authenticate. Undefined of one whose credentials are incomplete. */
function failedSignIn(refusal: Refusal, { userName, keyId }: CallFacts): FailedSignIn | undefined {
  if (refusal.kind === "exhausted") return undefined;
  const { kind, detail: { member, part: fault = "credential", claimed = {} } = {} } = refusal;
  if (member !== undefined || kind === "missing") return undefined;
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

interface Progress {
  readonly observer: AuthObserver;
  isNamed(): boolean;
  count(key: string | undefined): void;
  /** Ends once the user may go on: not every scheme waits for it. */
  turn(): Promise<unknown> | undefined;
  refused(): Refused | undefined;
}

/** Notes who calls, while a scheme is still at work. */
function observe(
  { peer }: { readonly peer: Peer },
  facts: CallFacts,
  limiter: RateLimiter | undefined,
): Progress {
  let turn: Promise<Halted | undefined> | undefined;
  let isNamed = false;
  let refused: Refused | undefined;

  function count(key: string | undefined): void {
    if (limiter === undefined || key === undefined) return;
    const taken = limiter.take(key);
    facts.headers = taken.headers;
    if (!taken.ok) refused = refuse("rateLimited", omitUndefined({ retryAfterS: taken.retryAfterS }));
  }

  async function admitted(isAdmitted: boolean | Promise<boolean>): Promise<Halted | undefined> {
    if (await isAdmitted) return undefined;
    refused = refuse("unavailable", { reason: "too-many-calls", retryAfterS });
    return { kind: "halted" };
  }

  const observer: AuthObserver = {
    identified(userName) {
      isNamed = true;
      facts.userName = userName;
      count(userName);
      if (refused !== undefined) return { kind: "halted" };
      const isAdmitted = peer.admit?.(userName) ?? true;
      if (isAdmitted === true) return undefined;
      turn = admitted(isAdmitted);
      return turn;
    },
    keyFound(keyId) {
      facts.keyId = keyId;
    },
  };
  return { observer, isNamed: () => isNamed, count, turn: () => turn, refused: () => refused };
}

/** Where a caller stands after one more call. */
export interface Taken {
  readonly ok: boolean;
  /** `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset`: calls, and seconds rounded up. */
  readonly headers: Readonly<Record<string, string>>;
  /** Seconds until there is room for one. Absent where there was. */
  readonly retryAfterS?: number;
}

/** Counts the calls of each caller: a bucket that fills evenly, up to `burst`. */
export interface RateLimiter {
  take(key: string): Taken;
}

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/** Callers remembered at once. Beyond them, the one seen longest ago is forgotten. */
const callersMax = 100_000;

export function createRateLimiter(options: RateOptions, now: () => number): RateLimiter {
  const { callsPerMinute, burst = callsPerMinute } = options;
  if (!(callsPerMinute > 0) || !(burst >= 1))
    throw new RangeError("rate: give `callsPerMinute` above 0 and a `burst` of at least 1");
  const perSecond = callsPerMinute / 60;
  const secondsFor = (tokens: number): number => Math.ceil(tokens / perSecond);
  const buckets = new Map<string, Bucket>();

  return {
    take(key) {
      const nowMs = now();
      const bucket = buckets.get(key) ?? { tokens: burst, filledAtMs: nowMs };
      const elapsedMs = Math.max(0, nowMs - bucket.filledAtMs);
      bucket.tokens = Math.min(burst, bucket.tokens + (elapsedMs * perSecond) / 1000);
      bucket.filledAtMs = nowMs;
      buckets.delete(key);
      buckets.set(key, bucket);
      if (buckets.size > callersMax) forgetOldest(buckets);
      const ok = bucket.tokens >= 1;
      if (ok) bucket.tokens -= 1;
      const headers = {
        "RateLimit-Limit": String(burst),
        "RateLimit-Remaining": String(Math.floor(bucket.tokens)),
        "RateLimit-Reset": String(secondsFor(burst - bucket.tokens)),
      };
      return ok ? { ok, headers } : { ok, headers, retryAfterS: Math.max(1, secondsFor(1 - bucket.tokens)) };
    },
  };
}

function forgetOldest(buckets: Map<string, Bucket>): void {
  const [oldest] = buckets.keys();
  if (oldest !== undefined) buckets.delete(oldest);
}
