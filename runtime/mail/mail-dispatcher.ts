import type { Changes, Clock, IdSource, Mailer, OutboxMailRecord, Sealer, Store } from "../ports/index.ts";
import {
  attemptLimitMs,
  attemptMail,
  changesAfter,
  recordOutcome,
  toldOf,
  type FailedAttempt,
  type MailOutcome,
} from "./send-mail.ts";
import { longestDelayMs } from "../delivery/model/retry-schedule.ts";
import { acceptLimitMs } from "./mailers.ts";
import { createServerGate } from "./server-gate.ts";
import { releaseMailClaims, changeClaimedMail, removeMail } from "./stored-mails.ts";
import { dueMails, mailById, expiredMails, mailsDueAfter } from "../storage/tables/index.ts";

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

export interface MailDispatcherOptions {
  readonly store: Store;
  readonly mailer: Mailer;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Whether no other process sends from this store: claims of a former process are then released at once. */
  readonly isOnlyProcess: boolean;
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

/** Sends the mail outbox: each mail at least once, the longest due first. */
export interface MailDispatcher {
  /** Looks for due mails now: a commit added one. */
  wake(): void;
  /** Ends the mails under way after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

interface UnderWay {
  readonly ended: AbortController;
  isHandedOver: boolean;
  done: Promise<void>;
}

/** Looks when it is woken, when a mail ended, and every 5 s. */
// oxlint-disable-next-line max-lines-per-function -- every step changes the state of one dispatcher
export function startMailDispatcher(options: MailDispatcherOptions): MailDispatcher {
  const { store, mailer, clock, ids, observer } = options;
  const claimedBy = ids.id();
  const gate = createServerGate(ids, mailsAtOnce);
  const underWay = new Map<string, UnderWay>();
  let looking: Promise<void> | undefined;
  let isWoken = false;
  let isClosed = false;
  let isReleased = !options.isOnlyProcess;
  let cancelTimer: (() => void) | undefined;
  /** The clock when it last looked. Before the first time it may have been set back, too. */
  let seenMs = Infinity;

  async function look(): Promise<void> {
    const nowMs = clock.now();
    if (!isReleased) await store.write((tx) => releaseMailClaims(tx, nowMs));
    isReleased = true;
    if (nowMs < seenMs) {
      gate.setBack(nowMs);
      await recoverFromSetBack(store, nowMs, (id) => underWay.has(id));
    }
    seenMs = nowMs;
    await dropExpired(store, nowMs, () => isClosed);
    const due = await store.read((view) => view.many(dueMails, nowMs, 1));
    if (due.length === 0 || !(await isServerThere(nowMs))) return;
    const limit = places();
    if (limit <= 0 || isClosed) return;
    const claimed = await claim(store, { nowMs, limit, claimedBy });
    // Its own claim ended while the store took no result: it is still under way.
    for (const mail of claimed) if (!underWay.has(mail.id)) start(mail);
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
  function start(mail: OutboxMailRecord): void {
    const one: UnderWay = { ended: new AbortController(), isHandedOver: false, done: Promise.resolve() };
    const { ended } = one;
    let cancelProlonging: (() => void) | undefined;
    const handedOver = (): void => {
      one.isHandedOver = true;
      cancelProlonging = clock.schedule(prolongedAfterMs, () => void prolongClaim(mail));
      wake();
    };
    underWay.set(mail.id, one);
    one.done = attemptMail(mail, ended, options, handedOver)
      .finally(() => cancelProlonging?.())
      // What was ended here is tried again after the next start.
      .then((outcome) => (isClosed && ended.signal.aborted ? undefined : settle(mail, outcome)))
      .finally(() => {
        underWay.delete(mail.id);
        wake();
      });
  }
  async function prolongClaim({ id, attempts }: OutboxMailRecord): Promise<void> {
    const changes = { dueAt: clock.now() + longClaimMs };
    try {
      await store.write((tx) => changeClaimedMail(tx, { id, attempts, claimedBy, changes }));
    } catch (error) {
      observer.internal(error);
    }
  }
  /** Records an outcome, again and again where the store takes no writes: the mail is not sent again meanwhile. */
  async function settle(mail: OutboxMailRecord, outcome: MailOutcome): Promise<void> {
    const nowMs = clock.now();
    const pausedUntil = outcome.kind === "postponed" ? undefined : passOn(outcome, nowMs);
    const changes = changesAfter(mail, outcome, { ...options, nowMs, pausedUntil });
    if (outcome.kind === "sent") observer.sent(mail);
    else if (outcome.kind === "failed") observer.failed(mail, outcome, changes);
    else observer.internal(outcome.error);
    for (;;) {
      try {
        await store.write((tx) => recordOutcome(tx, mail, outcome, changes), { isClaim: true });
        return;
      } catch (error) {
        observer.internal(error);
        if (isClosed) return;
        const { promise, resolve } = Promise.withResolvers<void>();
        clock.schedule(lookEveryMs, resolve);
        await promise;
      }
    }
  }
  /** Tells the gate what the outcome says of the server. Gives the end of the pause, if there is one. */
  function passOn(outcome: Exclude<MailOutcome, { kind: "postponed" }>, nowMs: number): number | undefined {
    if (outcome.kind === "failed" && ["unreachable", "server", "timeout"].includes(outcome.failure))
      return gate.failed(nowMs);
    if (outcome.kind === "sent" || outcome.failure === "refused") gate.worked();
    return undefined;
  }
  function wake(): void {
    isWoken = true;
    if (isClosed || looking !== undefined) return;
    isWoken = false;
    cancelTimer?.();
    looking = look()
      .catch(observer.internal)
      .finally(() => {
        looking = undefined;
        if (isWoken && places() > 0) wake();
        else if (!isClosed) cancelTimer = clock.schedule(lookEveryMs, wake);
      });
  }
  return {
    wake,
    async close(graceMs) {
      isClosed = true;
      cancelTimer?.();
      const grace = Promise.withResolvers<void>();
      const cancel = clock.schedule(graceMs, grace.resolve);
      await Promise.race([looking, grace.promise]);
      await Promise.race([Promise.all([...underWay.values()].map(({ done }) => done)), grace.promise]);
      cancel();
      for (const { ended } of underWay.values()) ended.abort();
    },
  };
}

interface ClaimOptions {
  readonly nowMs: number;
  readonly limit: number;
  readonly claimedBy: string;
}

/** Claims due mails, so that no other process sends them too. */
function claim(
  store: Store,
  { nowMs, limit, claimedBy }: ClaimOptions,
): Promise<readonly OutboxMailRecord[]> {
  const held = { claimedBy, dueAt: nowMs + claimMs };
  return store.write(
    async (tx) => {
      const due = await tx.many(dueMails, nowMs, limit);
      for (const { id } of due) await tx.update(mailById, held, id);
      return due.map((mail) => ({ ...mail, ...held }));
    },
    { isClaim: true, isRepeatable: true },
  );
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
