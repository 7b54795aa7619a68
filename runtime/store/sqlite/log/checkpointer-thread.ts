/** The thread that `checkpointer.ts` starts: moves the log to the file each time it is asked to. */
import { parentPort, workerData } from "node:worker_threads";
import { openConnection } from "../connection.ts";
import { checkpoint, type CheckpointMode } from "./checkpoint.ts";

/** Input of the thread. */
export interface CheckpointerSettings {
  readonly file: string;
}

/** Answers each mode that is asked for. */
export type CheckpointOutcome = "all-moved" | "not-all-moved";

const { file }: CheckpointerSettings = workerData;
const connection = openConnection(file, { readOnly: false });

parentPort?.on("message", (mode: CheckpointMode) => {
  const outcome: CheckpointOutcome = checkpoint(connection, mode) ? "all-moved" : "not-all-moved";
  parentPort?.postMessage(outcome);
});
