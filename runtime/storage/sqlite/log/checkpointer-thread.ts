/** The thread that `checkpointer.ts` starts: moves the log to the file each time it is asked to, if it is whole. */
import { parentPort, workerData } from "node:worker_threads";
import { openConnection } from "../connection.ts";
import { checkpoint, type CheckpointMode } from "./checkpoint.ts";
import { createLogVerifier } from "./log-verifier.ts";

/** Input of the thread. */
export interface CheckpointerSettings {
  readonly file: string;
}

export interface CheckpointMessage {
  readonly mode: CheckpointMode;
}

/** Answers each message. */
export interface CheckpointedMessage {
  readonly outcome: CheckpointOutcome;
  /** Length of the log up to the fault, where it is damaged. */
  readonly wholeBytes?: number;
}

/** `damaged`: nothing was moved, because frames of the log were overwritten. */
export type CheckpointOutcome = "all-moved" | "not-all-moved" | "damaged";

const { file }: CheckpointerSettings = workerData;
const connection = openConnection(file, { readOnly: false });

const damageNow = createLogVerifier(file, Number(connection.row("PRAGMA page_size", [])?.[0]));

parentPort?.on("message", ({ mode }: CheckpointMessage) => {
  parentPort?.postMessage(answer(mode));
});

function answer(mode: CheckpointMode): CheckpointedMessage {
  const damage = damageNow();
  if (damage !== undefined) return { outcome: "damaged", wholeBytes: damage.wholeBytes };
  return { outcome: checkpoint(connection, mode) ? "all-moved" : "not-all-moved" };
}
