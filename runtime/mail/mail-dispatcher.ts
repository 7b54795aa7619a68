import {
  UnavailableError,
  type Clock,
  type Mailer,
  type MailMessage,
  type OutboxMailRecord,
  type Sealer,
  type Store,
} from "../ports/index.ts";

/** Delays before the next attempt after 1, 2, … failures; after the last one the mail is removed and reported. */
const retryDelaysMs = [5_000, 30_000, 120_000, 600_000, 3_600_000];
const batch = 20;
/** Mails that are made due after the clock was set back, at most: the others keep their time. */
const recoveredMax = 1_000;

export interface MailDispatcherOptions {
  readonly store: Store;
  readonly mailer: Mailer;
  readonly sealer: Sealer;
  readonly clock: Clock;
  /** Reports each failure, without the address or the text of the mail. */
  readonly onFailure: (failure: {
    mailId: string;
    attempt: number;
    givenUp: boolean;
    error: unknown;
  }) => void;
}

/** Sends the mail outbox: each mail at least once, oldest first. */
export interface MailDispatcher {
  /** Looks for due mails now: a commit added one. */
  wake(): void;
  /** Finishes the mail under way. */
  close(): Promise<void>;
}

export function startMailDispatcher(options: MailDispatcherOptions): MailDispatcher {
  const { store, clock } = options;
  let running: Promise<void> | undefined;
  let wokenMeanwhile = false;
  let closed = false;
  let cancelTimer: (() => void) | undefined;
  /** The clock when it last looked. Before the first time it may have been set back, too. */
  let seenMs = Infinity;
  /** Sent, but still in the outbox: the store refused writes. */
  const accepted = new Set<string>();

  const sendDue = async (): Promise<void> => {
    const nowMs = clock.now();
    if (nowMs < seenMs) await recoverFromSetBack(store, nowMs);
    seenMs = nowMs;
    const due = await store.read((view) => view.outboxMails.due(nowMs, batch));
    for (const mail of due) if (!closed) await sendOne(mail, accepted, options);
    if (due.length === batch) wokenMeanwhile = true;
  };
  const wake = (): void => {
    wokenMeanwhile = true;
    if (closed || running !== undefined) return;
    wokenMeanwhile = false;
    cancelTimer?.();
    running = sendDue()
      .catch((error: unknown) => options.onFailure({ mailId: "", attempt: 0, givenUp: false, error }))
      .finally(() => {
        running = undefined;
        if (wokenMeanwhile) wake();
        else if (!closed) cancelTimer = clock.schedule(retryDelaysMs[0] ?? 0, wake);
      });
  };
  return {
    wake,
    async close() {
      closed = true;
      cancelTimer?.();
      await running;
    },
  };
}

/** Makes mails due that wait for longer than any does after so many failures: the clock was set back since. */
async function recoverFromSetBack(store: Store, nowMs: number): Promise<void> {
  const waiting = await store.read((view) => view.outboxMails.due(Number.MAX_SAFE_INTEGER, recoveredMax));
  const late = waiting.filter(
    ({ attempts, nextAttemptAt }) => nextAttemptAt - nowMs > (retryDelaysMs[Math.max(attempts, 1) - 1] ?? 0),
  );
  if (late.length === 0) return;
  await store.transact(async (tx) => {
    for (const mail of late) await tx.outboxMails.replace({ ...mail, nextAttemptAt: nowMs });
  });
}

async function sendOne(
  mail: OutboxMailRecord,
  accepted: Set<string>,
  { store, mailer, sealer, clock, onFailure }: MailDispatcherOptions,
): Promise<void> {
  if (!accepted.has(mail.id)) {
    try {
      const message: MailMessage = JSON.parse(sealer.open(mail.messageSealed));
      await mailer.send(message);
    } catch (error) {
      // A full disk of this machine is no fault of the mail: the attempt does not count.
      const isOwnFault = error instanceof UnavailableError;
      const delayMs = isOwnFault ? retryDelaysMs[0] : retryDelaysMs[mail.attempts];
      const attempts = isOwnFault ? mail.attempts : mail.attempts + 1;
      onFailure({ mailId: mail.id, attempt: attempts, givenUp: delayMs === undefined, error });
      await store.transact((tx) =>
        delayMs === undefined
          ? tx.outboxMails.remove(mail.id)
          : tx.outboxMails.replace({ ...mail, attempts, nextAttemptAt: clock.now() + delayMs }),
      );
      return;
    }
    accepted.add(mail.id);
  }
  await store.transact((tx) => tx.outboxMails.remove(mail.id));
  accepted.delete(mail.id);
}
