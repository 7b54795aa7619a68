import type { Clock, IdSource, Store } from "../ports/index.ts";
import { settle, type Consequences, type Settled } from "./settle.ts";

/** Writes down what became of deliveries: everything that ends while one commit is under way goes into the next. */
export interface Settlements {
  add(settled: Settled): void;
  /** Resolves once everything added so far is written down, or immediately. */
  settled(): Promise<void>;
  readonly isIdle: boolean;
  /** Gives up what cannot be written: its claims end by themselves. */
  stopRetrying(): void;
}

export interface SettlementsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
  onWritten(batch: readonly Settled[], consequences: Consequences): void;
  onFailure(error: unknown): void;
}

const retryAfterMs = 1_000;

export function createSettlements(options: SettlementsOptions): Settlements {
  const { store, clock, ids } = options;
  let waiting: Settled[] = [];
  let writing: Promise<void> | undefined;
  let retries = true;

  async function writeAll(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const nowMs = clock.now();
        const consequences = await store.transact((tx) => settle(tx, batch, { ids, nowMs }));
        options.onWritten(batch, consequences);
      } catch (error) {
        options.onFailure(error);
        if (!retries) return;
        waiting = [...batch, ...waiting];
        await new Promise<void>((resolve) => void clock.schedule(retryAfterMs, resolve));
      }
    }
  }
  function write(): void {
    writing ??= writeAll().finally(() => {
      writing = undefined;
      if (waiting.length > 0 && retries) write();
    });
  }

  return {
    add(settled) {
      waiting.push(settled);
      write();
    },
    settled: async () => writing,
    get isIdle() {
      return writing === undefined;
    },
    stopRetrying() {
      retries = false;
    },
  };
}
