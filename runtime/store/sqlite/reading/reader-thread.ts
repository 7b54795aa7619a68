/** A thread that `readers.ts` starts: answers questions, several in turns, on connections of its own. */
import { getPriority, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { Listing } from "../../sql/listing.ts";
import { openConnection } from "../connection.ts";
import type { QuestionMessage, ReaderSettings } from "./reader-messages.ts";
import { createReaderTasks } from "./reader-tasks.ts";

/** Where processors are short the thread that answers requests goes first, whatever priority the service was given. */
const nicenessAdded = 5;
const nicenessMax = 19;

const { file, limits }: ReaderSettings = workerData;
// On Linux this is the thread's own priority; elsewhere it would be the whole process's.
if (process.platform === "linux") setPriority(Math.min(getPriority() + nicenessAdded, nicenessMax));

const tasks = createReaderTasks({
  open: () => openConnection(file, { readOnly: true }),
  limits,
  answer: (message) => parentPort?.postMessage(message),
  listOf: async (module, name) => {
    const exported: Readonly<Record<string, Listing<unknown, unknown>>> = await import(module);
    const found = exported[name];
    if (found === undefined) throw new Error(`${module} exports no list ${name}`);
    return found;
  },
});
let isWorking = false;

parentPort?.on("message", async (message: QuestionMessage) => {
  await tasks.add(message);
  if (isWorking) return;
  isWorking = true;
  work();
});

/** Between two turns new questions are taken. */
function work(): void {
  isWorking = tasks.work();
  if (isWorking) setImmediate(work);
}
