import type {
  Changes,
  Clock,
  IdSource,
  Mailer,
  OutboxMailRecord,
  Sealer,
  Store,
  Writes,
} from "../../store/ports/index.ts";
import type { MailRenderers } from "../../pipeline/handler-context.ts";
import type { FailedAttempt, MailOutcome } from "../model/attempt-outcome.ts";
import { mailClaimTransactions } from "../model/claim-transactions.ts";
import { answerMsMax, createPoller, type Looked } from "../model/loops.ts";
import type { ResultQueue } from "../model/queues.ts";
import { longestDelayMs } from "../model/retry-schedule.ts";
import { acceptLimitMs } from "./mailers.ts";
import { attemptLimitMs, attemptMail, changesAfter, toldOf } from "./send-mail.ts";
import { changeClaimedMail, removeMail } from "./stored-mails.ts";
import { dueMails, mailById, expiredMails, mailsDueAfter, urgentMails } from "../../store/tables/index.ts";

/** Mails that are being handed over at once: one whose server hangs holds up no other for long. */
const mailsAtOnce = 5;
/** The same, with those that the server was sent and has not taken yet: each holds a connection. */
const underWayMax = 20;
const lookEveryMs = 5_000;
/** A claim outlasts an attempt by this, for recording it. */
const recordedMs = 30_000;
const claimMs = attemptLimitMs + recordedMs;
/** The claim of a mail that the server takes long for is prolonged after this. */
const prolongedAfterMs = 20_000;
const longClaimMs = acceptLimitMs + recordedMs;
/** Another process's clock is ahead by less. */
const skewMs = 60_000;
/** Mails that one transaction drops, or makes due after the clock was set back. */
const atOnceMax = 1_000;

export interface MailJobsOptions {
  readonly store: Store;
  readonly mailer: Mailer;
  readonly renderers: MailRenderers;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Identifies the process in `claimedBy`. */
  readonly claimedBy: string;
  /** Stores what becomes of mails, with the results of other jobs. */
  readonly results: ResultQueue;
  readonly observer: MailObserver;
}

/** Receives what becomes of mails: never an address, never a text. */
export interface MailObserver {
  sent(mail: OutboxMailRecord): void;
  /** `next` has the time of the next attempt, or the state FAILED. */
  failed(mail: OutboxMailRecord, attempt: FailedAttempt, next: Changes<OutboxMailRecord>): void;
  /** No mail is sent before `pausedUntil`: the mail server was asked, and cannot be reached. */
  unreachable(told: Pick<FailedAttempt, "detail" | "cause">, pausedUntil: number): void;
  /** Reports an error of this machine; sending goes on. */
  internal(error: unknown): void;
}

/**
 * The second kind of jobs beside notifications: the mails of the outbox, each sent at least once. Those that expire come
 * first, then the longest due.
 */
export interface MailJobs {
  /** Looks for due mails now: a commit added one. */
  wake(): void;
  /** The result of a mail is stored, so that it may be claimed again. */
  recorded(mailId: string): void;
  /** Ends the mails under way after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

interface UnderWay {
  readonly ended: AbortController;
  isHandedOver: boolean;
  done: Promise<void>;
}

const looked: Looked = { nextAtMs: Infinity, restMs: 0 };

/** Looks when it is woken, when a mail's result is stored, and every 5 s. */
// oxlint-disable-next-line max-lines-per-function -- every step changes which mails are under way
export function startMailJobs(options: MailJobsOptions): MailJobs {
  const { store, mailer, clock, ids, claimedBy, results, observer } = options;
  const gate = createServerGate(ids, mailsAtOnce);
  const claims = mailClaimTransactions(store, { clock, answerMsMax });
  const underWay = new Map<string, UnderWay>();
  let isClosed = false;
  const poller = createPoller({ clock, everyMs: lookEveryMs, look, onFailure: observer.internal });

  async function look(nowMs: number, isSetBack: boolean): Promise<Looked> {
    if (isSetBack) {
      gate.setBack(nowMs);
      await recoverFromSetBack(store, nowMs, (id) => underWay.has(id));
    }
    await dropExpired(store, nowMs, () => isClosed);
    startAll(await claims.recovered(nowMs));
    const due = await store.read((view) => view.many(dueMails, nowMs, 1));
    if (due.length === 0 || !(await isServerThere(nowMs))) return looked;
    const limit = places();
    if (limit <= 0 || isClosed) return looked;
    const claim = { nowMs, limit, held: { claimedBy, dueAt: nowMs + claimMs } };
    const options = { isClaim: true, isRepeatable: true };
    startAll(
      await claims.transact(
        (tx) => claimMails(tx, claim),
        (mails) => mails,
        options,
      ),
    );
    return looked;
  }
  /** While the server works, a mail that it takes long for holds up no other. */
  function places(): number {
    const isOpen = gate.places() === mailsAtOnce;
    const waiting = isOpen ? [...underWay.values()].filter(({ isHandedOver }) => isHandedOver).length : 0;
    return Math.min(gate.places() - (underWay.size - waiting), underWayMax - underWay.size);
  }
  /** Asks the server once the pause is over: one question instead of a mail. */
  async function isServerThere(nowMs: number): Promise<boolean> {
    const pausedUntil = gate.pausedUntil();
    if (pausedUntil === undefined) return true;
    if (nowMs < pausedUntil) return false;
    try {
      await mailer.check();
    } catch (error) {
      const checkedMs = clock.now();
      observer.unreachable(toldOf(error), gate.failed(checkedMs));
      return false;
    }
    gate.tryOne();
    return true;
  }
  /** One that is under way stays so where its own claim ended while the store took no result. */
  function startAll(mails: readonly OutboxMailRecord[]): void {
    for (const mail of mails) if (!underWay.has(mail.id)) start(mail);
  }
  function start(mail: OutboxMailRecord): void {
    const one: UnderWay = { ended: new AbortController(), isHandedOver: false, done: Promise.resolve() };
    const { ended } = one;
    let cancelProlonging: (() => void) | undefined;
    const attempt = async (): Promise<void> => {
      const outcome = await attemptMail(mail, ended, options, handedOver);
      cancelProlonging?.();
      // What was ended here is tried again after the next start.
      if (!isClosed || !ended.signal.aborted) conclude(mail, outcome);
    };
    const handedOver = (): void => {
      one.isHandedOver = true;
      cancelProlonging = clock.schedule(prolongedAfterMs, () => void prolongClaim(mail));
      wake();
    };
    underWay.set(mail.id, one);
    one.done = attempt();
  }
  async function prolongClaim({ id, attempts }: OutboxMailRecord): Promise<void> {
    const changes = { dueAt: clock.now() + longClaimMs };
    try {
      await store.write((tx) => changeClaimedMail(tx, { id, attempts, claimedBy, changes }));
    } catch (error) {
      observer.internal(error);
    }
  }
  /** Reports an outcome, and has it stored: until then the mail is not sent again. */
  function conclude(mail: OutboxMailRecord, outcome: MailOutcome): void {
    const nowMs = clock.now();
    const pausedUntil = outcome.kind === "postponed" ? undefined : passOn(outcome, nowMs);
    const changes = changesAfter(mail, outcome, { ...options, nowMs, pausedUntil });
    if (outcome.kind === "sent") observer.sent(mail);
    else if (outcome.kind === "failed") observer.failed(mail, outcome, changes);
    else observer.internal(outcome.error);
    results.add({ kind: "mail", mail, outcome, changes });
  }
  /** Tells the gate what the outcome says of the server. Gives the end of the pause, if there is one. */
  function passOn(outcome: Exclude<MailOutcome, { kind: "postponed" }>, nowMs: number): number | undefined {
    if (outcome.kind === "failed" && ["unreachable", "server", "timeout"].includes(outcome.failure))
      return gate.failed(nowMs);
    if (outcome.kind === "sent" || outcome.failure === "refused") gate.worked();
    return undefined;
  }
  function wake(): void {
    if (places() > 0) poller.wake();
  }
  return {
    wake: poller.wake,
    recorded(mailId) {
      underWay.delete(mailId);
      wake();
    },
    async close(graceMs) {
      isClosed = true;
      const grace = Promise.withResolvers<void>();
      const cancel = clock.schedule(graceMs, grace.resolve);
      const closed = poller.close();
      await Promise.race([closed, grace.promise]);
      await Promise.race([Promise.all([...underWay.values()].map(({ done }) => done)), grace.promise]);
      cancel();
      for (const { ended } of underWay.values()) ended.abort();
    },
  };
}

interface Claim {
  readonly nowMs: number;
  readonly limit: number;
  readonly held: { readonly claimedBy: string; readonly dueAt: number };
}

/** Claims due mails, so that no other process sends them too. Those that expire go ahead of however many others wait. */
async function claimMails(tx: Writes, { nowMs, limit, held }: Claim): Promise<readonly OutboxMailRecord[]> {
  const urgent = await tx.many(urgentMails, nowMs, nowMs, limit);
  const ids = new Set(urgent.map(({ id }) => id));
  const others = urgent.length === limit ? [] : await tx.many(dueMails, nowMs, limit);
  const due = [...urgent, ...others.filter(({ id }) => !ids.has(id))].slice(0, limit);
  for (const { id } of due) await tx.update(mailById, held, id);
  return due.map((mail) => ({ ...mail, ...held }));
}
/** Removes mails that are of no use any more, a thousand in a transaction. */
async function dropExpired(store: Store, nowMs: number, isClosed: () => boolean): Promise<void> {
  for (let dropped = atOnceMax; dropped === atOnceMax && !isClosed();) {
    const expired = await store.read((view) => view.many(expiredMails, nowMs, atOnceMax));
    dropped = expired.length;
    if (dropped === 0) return;
    await store.write(async (tx) => {
      for (const { id } of expired) await removeMail(tx, id);
    });
  }
}

/** Makes mails due that wait for longer than any does after so many failures: the clock was set back since. */
async function recoverFromSetBack(
  store: Store,
  nowMs: number,
  isUnderWay: (id: string) => boolean,
): Promise<void> {
  for (let isMore = true; isMore;) {
    const waiting = await store.read((view) => view.many(mailsDueAfter, nowMs, atOnceMax));
    const late = waiting.filter(({ id, failures, claimedBy, dueAt = 0 }) => {
      const longestMs = claimedBy === undefined ? longestDelayMs(failures) : longClaimMs + skewMs;
      return dueAt - nowMs > longestMs && !isUnderWay(id);
    });
    isMore = late.length === atOnceMax;
    if (late.length === 0) return;
    await store.write(async (tx) => {
      for (const { id } of late) await tx.update(mailById, { dueAt: nowMs, claimedBy: undefined }, id);
    });
  }
}

/** Pauses of sending after 1, 2, … failures of the mail server, ±20 %; the last one from then on. */
const pausesMs = [5_000, 30_000, 60_000, 120_000, 300_000] as const;
const jitterShare = 0.2;
const jitterSteps = 1_000;
const longestPauseMs = 300_000 * (1 + jitterShare);

/**
 * Lets mails pass while the mail server works. Once it fails, all mails pause; then the server is asked, and one mail
 * tries it before the others follow.
 */
interface ServerGate {
  /** How many mails may be under way. */
  places(): number;
  /** Until when all mails pause; undefined while they do not. */
  pausedUntil(): number | undefined;
  /** The server answers again: one mail may try it. */
  tryOne(): void;
  /** The server took a mail, or refused that one. */
  worked(): void;
  /** The server failed. Gives the end of the pause. */
  failed(nowMs: number): number;
  /** The clock was set back: no pause is longer than the longest. */
  setBack(nowMs: number): void;
}

function createServerGate(ids: IdSource, mailsAtOnce: number): ServerGate {
  let state: { readonly kind: "open" | "trying" } | { readonly kind: "closed"; readonly untilMs: number } = {
    kind: "open",
  };
  let failures = 0;

  return {
    places: () => ({ open: mailsAtOnce, trying: 1, closed: 0 })[state.kind],
    pausedUntil: () => (state.kind === "closed" ? state.untilMs : undefined),
    tryOne() {
      state = { kind: "trying" };
    },
    worked() {
      state = { kind: "open" };
      failures = 0;
    },
    failed(nowMs) {
      // Several mails that were under way tell of one failure.
      if (state.kind === "closed" && nowMs < state.untilMs) return state.untilMs;
      const pauseMs = pausesMs[Math.min(failures, pausesMs.length - 1)] ?? longestPauseMs;
      failures += 1;
      const factor = 1 - jitterShare + (2 * jitterShare * ids.integer(jitterSteps + 1)) / jitterSteps;
      const untilMs = nowMs + Math.round(pauseMs * factor);
      state = { kind: "closed", untilMs };
      return untilMs;
    },
    setBack(nowMs) {
      if (state.kind === "closed" && state.untilMs - nowMs > longestPauseMs)
        state = { kind: "closed", untilMs: nowMs };
    },
  };
}
