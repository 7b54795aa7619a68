import { workerOnDemand } from "../../../contract/worker.ts";
import type { CheckpointMode } from "./checkpoint.ts";

/** Checkpoints the write-ahead log on a thread of its own. */
export interface Checkpointer {
  /** As `checkpoint`. Gives `not-all-moved` where the thread was lost, too; never rejects. */
  checkpoint(mode: CheckpointMode): Promise<CheckpointOutcome>;
  /** Resolves once no checkpoint runs any more. Checkpoints that have not begun are given up. */
  close(): Promise<void>;
}

/** Input of the thread. */
export interface CheckpointerSettings {
  readonly file: string;
}

export type CheckpointOutcome = "all-moved" | "not-all-moved";

/** For the compiler, which strips the thread's types, and a connection; nothing grows there. */
const limits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 };

/** Waiting for the disk is left to a thread, which is started when it is first needed and again if it was lost. */
export function createCheckpointer(file: string): Checkpointer {
  const thread = workerOnDemand<CheckpointMode, CheckpointOutcome, CheckpointerSettings>(
    new URL("checkpointer-thread.ts", import.meta.url),
    { data: { file }, limits },
  );
  return {
    // Why it failed, if it did, the next commit says.
    checkpoint: (mode) => thread.ask(mode).catch(() => "not-all-moved"),
    close: thread.end,
  };
}
