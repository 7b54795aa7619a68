/** The thread that `checkpointer.ts` starts: moves the log to the file each time it is asked to. */
import { parentPort, workerData } from "node:worker_threads";
import { openConnection } from "../connection.ts";
import { checkpoint, type CheckpointMode } from "./checkpoint.ts";

/** Input of the thread. */
export interface CheckpointerSettings {
  readonly file: string;
}

export interface CheckpointMessage {
  readonly mode: CheckpointMode;
}

/** Answers each message: what `checkpoint` gave. */
export interface CheckpointedMessage {
  readonly isMoved: boolean;
}

const { file }: CheckpointerSettings = workerData;
const connection = openConnection(file, { readOnly: false });
// Writers are waiting when there are readers to wait for.
connection.rows("PRAGMA busy_timeout = 0", []);

parentPort?.on("message", ({ mode }: CheckpointMessage) => {
  parentPort?.postMessage({ isMoved: checkpoint(connection, mode) } satisfies CheckpointedMessage);
});
