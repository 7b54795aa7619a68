import { Worker } from "node:worker_threads";
import type { MovedMessage, MoveMessage, MoverSettings } from "./checkpointer-thread.ts";
import type { MoveMode } from "./checkpoint.ts";

/** Moves the log to the file while the process goes on. */
export interface LogMover {
  /** As `moveLog`. Gives false where the thread was lost, too; never rejects. */
  move(mode: MoveMode): Promise<boolean>;
  /** Resolves once nothing is being moved any more. What was asked for and not begun is given up. */
  close(): Promise<void>;
}

/** For the compiler, which strips the thread's types, and a connection; nothing grows there. */
const heapLimits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 };

/** Waiting for the disk is left to a thread, which is started when it is first needed and again if it was lost. */
export function createLogMover(file: string): LogMover {
  let thread: MovingThread | undefined;
  return {
    move: (mode) => {
      thread ??= startThread(file, () => {
        thread = undefined;
      });
      return thread.move(mode);
    },
    close: async () => thread?.end(),
  };
}

interface MovingThread {
  move(mode: MoveMode): Promise<boolean>;
  end(): Promise<void>;
}

function startThread(file: string, onEnd: () => void): MovingThread {
  const worker = new Worker(new URL("checkpointer-thread.ts", import.meta.url), {
    workerData: { file } satisfies MoverSettings,
    resourceLimits: heapLimits,
  });
  const asked: ((isMoved: boolean) => void)[] = [];
  let isEnding = false;
  worker.on("message", ({ isMoved }: MovedMessage) => {
    asked.shift()?.(isMoved);
    if (asked.length === 0 && !isEnding) worker.unref();
  });
  // Why it failed, if it did, the next commit says.
  worker.on("error", () => undefined);
  worker.on("exit", () => {
    onEnd();
    for (const resolve of asked.splice(0)) resolve(false);
  });

  return {
    move: (mode) =>
      new Promise((resolve) => {
        asked.push(resolve);
        // Whoever waits for the answer may be all that keeps the process going.
        worker.ref();
        worker.postMessage({ mode } satisfies MoveMessage);
      }),
    end: async () => {
      isEnding = true;
      await worker.terminate();
    },
  };
}
