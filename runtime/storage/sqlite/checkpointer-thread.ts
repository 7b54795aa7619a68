/** The thread that `checkpointer.ts` starts: moves the log to the file each time it is told to. */
import { parentPort, workerData } from "node:worker_threads";
import { openConnection } from "./connection.ts";
import { moveLog, type MoveMode } from "./checkpoint.ts";

/** What the thread is started with. */
export interface MoverSettings {
  readonly file: string;
}

export interface MoveMessage {
  readonly mode: MoveMode;
}

/** Answers each message: what `moveLog` gave. */
export interface MovedMessage {
  readonly isMoved: boolean;
}

const { file }: MoverSettings = workerData;
const connection = openConnection(file, { readOnly: false });
// Writers are waiting when there are readers to wait for.
connection.rows("PRAGMA busy_timeout = 0", []);

parentPort?.on("message", ({ mode }: MoveMessage) => {
  parentPort?.postMessage({ isMoved: moveLog(connection, mode) } satisfies MovedMessage);
});
