import type { Clock, Store } from "../../ports/index.ts";
import type { DueQueue } from "../model/queues.ts";

/** Finds due deliveries in the store: retries, and those of other processes and operators. */
export interface DuePoller {
  /** Polls now. */
  wake(): void;
  /** Polls at that time at the latest. */
  wakeBy(timeMs: number): void;
  close(): Promise<void>;
}

export interface DuePollerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly queues: DueQueue;
  onFailure(error: unknown): void;
}

const pollEveryMs = 1_000;

/** Polls from the first `wake` on, then every second. */
export function createDuePoller({ store, clock, queues, onFailure }: DuePollerOptions): DuePoller {
  let polling: Promise<void> | undefined;
  let again = false;
  let isClosed = false;
  let nextAtMs = Infinity;
  let cancel: (() => void) | undefined;

  async function poll(): Promise<void> {
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
    queues.markDue(due);
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
    if (polling !== undefined || isClosed) return;
    cancel?.();
    nextAtMs = Infinity;
    polling = poll()
      .catch(onFailure)
      .finally(() => {
        polling = undefined;
        if (again) wake();
        else wakeBy(clock.now() + pollEveryMs);
      });
  }

  return {
    wake,
    wakeBy,
    async close() {
      isClosed = true;
      cancel?.();
      await polling;
    },
  };
}
