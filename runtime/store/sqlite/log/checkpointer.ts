import { Worker } from "node:worker_threads";
import type { CheckpointerSettings, CheckpointOutcome } from "./checkpointer-thread.ts";
import type { CheckpointMode } from "./checkpoint.ts";

/** Checkpoints the write-ahead log on a thread of its own. */
export interface Checkpointer {
  /** As `checkpoint`. Gives `not-all-moved` where the thread was lost, too; never rejects. */
  checkpoint(mode: CheckpointMode): Promise<CheckpointOutcome>;
  /** Resolves once no checkpoint runs any more. Checkpoints that have not begun are given up. */
  close(): Promise<void>;
}

/** For the compiler, which strips the thread's types, and a connection; nothing grows there. */
const heapLimits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 };

/** Waiting for the disk is left to a thread, which is started when it is first needed and again if it was lost. */
export function createCheckpointer(file: string): Checkpointer {
  let thread: CheckpointThread | undefined;
  return {
    checkpoint: (mode) => {
      thread ??= startThread(file, () => {
        thread = undefined;
      });
      return thread.checkpoint(mode);
    },
    close: async () => thread?.end(),
  };
}

interface CheckpointThread {
  checkpoint(mode: CheckpointMode): Promise<CheckpointOutcome>;
  end(): Promise<void>;
}

function startThread(file: string, onEnd: () => void): CheckpointThread {
  const worker = new Worker(new URL("checkpointer-thread.ts", import.meta.url), {
    workerData: { file } satisfies CheckpointerSettings,
    resourceLimits: heapLimits,
  });
  const asked: ((outcome: CheckpointOutcome) => void)[] = [];
  let isEnding = false;
  worker.on("message", (outcome: CheckpointOutcome) => {
    asked.shift()?.(outcome);
    if (asked.length === 0 && !isEnding) worker.unref();
  });
  // Why it failed, if it did, the next commit says.
  worker.on("error", () => undefined);
  worker.on("exit", () => {
    onEnd();
    for (const resolve of asked.splice(0)) resolve("not-all-moved");
  });

  return {
    checkpoint: (mode) =>
      new Promise((resolve) => {
        asked.push(resolve);
        // The caller that waits for the answer may be all that keeps the process alive.
        worker.ref();
        worker.postMessage(mode);
      }),
    end: async () => {
      isEnding = true;
      await worker.terminate();
    },
  };
}
