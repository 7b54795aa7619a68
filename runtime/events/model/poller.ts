import type { Clock } from "../../store/ports/index.ts";

/** Looks at intervals for what falls due by itself, and for what other processes and operators have left. */
export interface Poller {
  /** Looks now. */
  wake(): void;
  /** Looks at that time at the latest. */
  wakeBy(timeMs: number): void;
  /** Finishes the look under way. */
  close(): Promise<void>;
}

export interface PollerOptions {
  readonly clock: Clock;
  readonly everyMs: number;
  /** Looks once. `isSetBack`: the clock is behind that of the look before. Before the first one it may have been set back, too. */
  look(nowMs: number, isSetBack: boolean): Promise<Looked>;
  onFailure(error: unknown): void;
}

export interface Looked {
  /** When something falls due; Infinity where nothing does. */
  readonly nextAtMs: number;
  /** No look before so long: this one took many rows. */
  readonly restMs: number;
}

/** Looks from the first `wake` on. */
export function createPoller({ clock, everyMs, look, onFailure }: PollerOptions): Poller {
  let looking: Promise<void> | undefined;
  let again = false;
  let isClosed = false;
  let nextAtMs = Infinity;
  let seenMs = Infinity;
  let restMs = 0;
  let endedAtMs = 0;
  let cancel: (() => void) | undefined;

  async function lookOnce(): Promise<void> {
    again = false;
    const nowMs = clock.now();
    const looked = await look(nowMs, nowMs < seenMs);
    seenMs = nowMs;
    restMs = looked.restMs;
    endedAtMs = clock.now();
    wakeBy(looked.nextAtMs);
  }
  function wakeBy(timeMs: number): void {
    if (isClosed || timeMs >= nextAtMs) return;
    cancel?.();
    nextAtMs = timeMs;
    const nowMs = clock.now();
    // No longer than the rest where the clock was set back.
    const leftMs = Math.min(endedAtMs + restMs - nowMs, restMs);
    cancel = clock.schedule(Math.max(timeMs - nowMs, leftMs, 0), wake);
  }
  function wake(): void {
    again = true;
    if (looking !== undefined || isClosed) return;
    cancel?.();
    nextAtMs = Infinity;
    looking = lookOnce()
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
