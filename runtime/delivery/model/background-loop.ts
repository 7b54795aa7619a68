import type { Clock } from "../../ports/index.ts";
import { createSignal } from "./signal.ts";

/** Works in the background, a part at a time: when it is woken, and at even intervals. */
export interface BackgroundLoop {
  /** A commit may have left something to do. */
  wake(): void;
  /** Finishes the part under way. */
  close(): Promise<void>;
}

export interface BackgroundLoopOptions {
  readonly clock: Clock;
  /** Finds what another process has left to do. */
  readonly everyMs: number;
  /** Does a part. Gives whether there is more. */
  part(): Promise<boolean>;
  /** Lets others go on between two parts. Default: for a turn of the event loop. */
  readonly between?: (tookMs: number) => Promise<unknown>;
  onFailure(error: unknown): void;
}

/** After a failure: the store may refuse for long. */
const againMs = 1_000;

/** Begins with a part. */
export function startBackgroundLoop(options: BackgroundLoopOptions): BackgroundLoop {
  const { clock, everyMs, between = () => new Promise((resolve) => setImmediate(resolve)) } = options;
  const woken = createSignal();
  let isClosed = false;
  const running = run();

  async function run(): Promise<void> {
    for (;;) {
      if (isClosed) return;
      const beganMs = performance.now();
      const done = await options.part().catch(options.onFailure);
      if (done === true) await between(performance.now() - beganMs);
      else {
        const hasFailed = done === undefined;
        // Wakes during a failure are not tried at once.
        if (hasFailed) woken.reset();
        await wait(hasFailed ? Math.min(againMs, everyMs) : everyMs);
      }
    }
  }
  async function wait(forMs: number): Promise<void> {
    if (isClosed) return;
    const cancel = clock.schedule(forMs, woken.wake);
    await woken.wait();
    cancel();
  }

  return {
    wake: woken.wake,
    async close() {
      isClosed = true;
      woken.wake();
      await running;
    },
  };
}
