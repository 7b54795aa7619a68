/** The thread that `file-check.ts` starts: checks one file, answers once and ends. */
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { damageIn } from "./check-file.ts";

/** The data that the thread is started with. */
export interface CheckSettings {
  readonly file: string;
}

export interface CheckedMessage {
  /** The first thing that is wrong; absent where nothing is. */
  readonly damage?: string;
}

const { file }: CheckSettings = workerData;
const database = new DatabaseSync(file, { readOnly: true });
const damage = damageIn(database);
database.close();
parentPort?.postMessage((damage === undefined ? {} : { damage }) satisfies CheckedMessage);
