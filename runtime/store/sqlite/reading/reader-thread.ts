/** A thread that `reader-worker.ts` starts: answers questions, several in turns, on connections of its own. */
import { getPriority, setPriority } from "node:os";
import { answerTasks } from "../../../platform/worker.ts";
import type { Listing } from "../../sql/listing.ts";
import { openConnection } from "../connection.ts";
import { type Question, type ReadAnswer, type ReaderSettings, createReaderTasks } from "./reader-tasks.ts";

/** Where processors are short the thread that answers requests goes first, whatever priority the service was given. */
const nicenessAdded = 5;
const nicenessMax = 19;

answerTasks(({ file, limits }: ReaderSettings) => {
  // On Linux this is the thread's own priority; elsewhere it would be the whole process's.
  if (process.platform === "linux") setPriority(Math.min(getPriority() + nicenessAdded, nicenessMax));
  const tasks = createReaderTasks({
    open: () => openConnection(file, { readOnly: true }),
    limits,
    listOf: async (module, name) => {
      const exported: Readonly<Record<string, Listing<unknown, unknown>>> = await import(module);
      const found = exported[name];
      if (found === undefined) throw new Error(`${module} exports no list ${name}`);
      return found;
    },
  });
  let isWorking = false;

  /** Between two turns new questions are taken. */
  function work(): void {
    isWorking = tasks.work();
    if (isWorking) setImmediate(work);
  }

  async function take(question: Question, answer: (answer: ReadAnswer) => void): Promise<void> {
    await tasks.add(question, answer);
    if (isWorking) return;
    isWorking = true;
    work();
  }

  return (question: Question) => new Promise<ReadAnswer>((resolve) => void take(question, resolve));
});
