import type { Clock } from "../../store/ports/index.ts";

/** Works in the background, a part at a time: when it is woken, and at even intervals. */
export interface BackgroundLoop {
  /** A commit may have left something to do. */
  wake(): void;
  /** Finishes the part under way. */
  close(): Promise<void>;
}

interface BackgroundLoopOptions {
  readonly clock: Clock;
  /** Finds what another process has left to do. */
  readonly everyMs: number;
  /** Reads whether there is anything to do, at the start and at every interval: an idle loop writes nothing. Default: yes. */
  readonly isAnyLeft?: () => Promise<boolean>;
  /** Does a part. Gives whether there is more. */
  part(): Promise<boolean>;
  /** Lets others go on between two parts. Default: for a turn of the event loop. */
  readonly between?: (tookMs: number) => Promise<unknown>;
  onFailure(error: unknown): void;
}

/** After a failure: the store may refuse for long. */
const againMs = 1_000;

export function startBackgroundLoop(options: BackgroundLoopOptions): BackgroundLoop {
  const { clock, everyMs, isAnyLeft = () => Promise.resolve(true) } = options;
  const { between = () => new Promise((resolve) => setImmediate(resolve)) } = options;
  const woken = createSignal();
  let isClosed = false;
  /** A wake, or the part before, says that there is something to do. */
  let isExpected = false;
  const running = run();

  async function run(): Promise<void> {
    for (;;) {
      if (isClosed) return;
      const beganMs = performance.now();
      const done = await next().catch(options.onFailure);
      isExpected ||= done === true;
      if (done === true) await between(performance.now() - beganMs);
      else {
        const hasFailed = done === undefined;
        // Wakes during a failure are not tried at once.
        if (hasFailed) reset();
        await wait(hasFailed ? Math.min(againMs, everyMs) : everyMs);
      }
    }
  }
  async function next(): Promise<boolean> {
    if (!isExpected && !(await isAnyLeft())) return false;
    isExpected = false;
    return options.part();
  }
  function wake(): void {
    isExpected = true;
    woken.wake();
  }
  function reset(): void {
    isExpected = false;
    woken.reset();
  }
  async function wait(forMs: number): Promise<void> {
    if (isClosed) return;
    const cancel = clock.schedule(forMs, woken.wake);
    await woken.wait();
    cancel();
  }

  return {
    wake,
    async close() {
      isClosed = true;
      woken.wake();
      await running;
    },
  };
}

/** Looks at intervals for what falls due by itself, and for what other processes and operators have left. */
export interface Poller {
  /** Looks now. */
  wake(): void;
  /** Looks at that time at the latest. */
  wakeBy(timeMs: number): void;
  /** Finishes the look under way. */
  close(): Promise<void>;
}

interface PollerOptions {
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

/** Wakes the one loop that waits for it. A wake before the wait is kept; several before one wait count as one. */
export interface Signal {
  wake(): void;
  wait(): Promise<void>;
  /** Forgets a wake that no wait has taken. */
  reset(): void;
}

export function createSignal(): Signal {
  let isWoken = false;
  let resume: (() => void) | undefined;

  return {
    wake() {
      isWoken = true;
      resume?.();
    },
    async wait() {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          resume = resolve;
        });
      }
      isWoken = false;
      resume = undefined;
    },
    reset() {
      isWoken = false;
    },
  };
}

/**
 * Resolves as soon as the work has ended, either way, or is late. The answer to a commit may be lost on its way and
 * be missed only after many seconds.
 */
export async function endedOrLate(
  work: Promise<unknown>,
  clock: Clock,
  lateAfterMs: number,
): Promise<"ended" | "late"> {
  const late = Promise.withResolvers<"late">();
  const cancel = clock.schedule(lateAfterMs, () => late.resolve("late"));
  const ended = work.then(
    () => "ended" as const,
    () => "ended" as const,
  );
  const outcome = await Promise.race([ended, late.promise]);
  cancel();
  return outcome;
}

/** A commit of results or events that is not answered by then is taken for lost: what follows does not wait for it. */
export const answerMsMax = 2_000;
