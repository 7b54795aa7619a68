import type { Clock } from "../../store/ports/index.ts";
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
