import type { Clock, Store } from "../../ports/index.ts";

/** Looks into the store for what is due: retries, and what other processes and operators have queued. */
export interface DuePoller {
  /** Looks now. */
  wake(): void;
  /** Looks at that time at the latest. */
  wakeBy(timeMs: number): void;
  close(): Promise<void>;
}

export interface DuePollerOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Subscriptions that have something due. */
  onDue(subscriptionIds: readonly string[]): void;
  onFailure(error: unknown): void;
}

const everyMs = 1_000;

export function startDuePoller({ store, clock, onDue, onFailure }: DuePollerOptions): DuePoller {
  let looking: Promise<void> | undefined;
  let again = false;
  let isClosed = false;
  let nextAtMs = Infinity;
  let cancel: (() => void) | undefined;

  async function look(): Promise<void> {
    again = false;
    const nowMs = clock.now();
    const due: string[] = [];
    let nextDueAt = Infinity;
    await store.read(async (view) => {
      for (let after = ""; ;) {
        const first = await view.deliveries.nextDue(after);
        if (first === undefined) return;
        after = first.subscriptionId;
        const dueAt = first.dueAt ?? 0;
        if (dueAt <= nowMs) due.push(after);
        else nextDueAt = Math.min(nextDueAt, dueAt);
      }
    });
    onDue(due);
    wakeBy(nextDueAt);
  }
  function wakeBy(timeMs: number): void {
    if (isClosed || timeMs >= nextAtMs) return;
    cancel?.();
    nextAtMs = timeMs;
    cancel = clock.schedule(Math.max(timeMs - clock.now(), 0), wake);
  }
  function wake(): void {
    again = true;
    if (looking !== undefined || isClosed) return;
    cancel?.();
    nextAtMs = Infinity;
    looking = look()
      .catch(onFailure)
      .finally(() => {
        looking = undefined;
        if (again) wake();
        else wakeBy(clock.now() + everyMs);
      });
  }

  return {
    wake,
    wakeBy,
    async close() {
      isClosed = true;
      cancel?.();
      await looking;
    },
  };
}
