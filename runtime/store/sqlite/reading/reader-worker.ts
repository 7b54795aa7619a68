import { Worker } from "node:worker_threads";
import { StoreBusyError, TooManyRowsError } from "../../ports/index.ts";
import type { SqliteValue } from "../dialect.ts";
import { declaredFault } from "../errors.ts";
import type { AnswerMessage, Question, QuestionMessage, ReaderSettings } from "./reader-messages.ts";

export type Rows = readonly (readonly SqliteValue[])[];

/** A thread that answers questions. */
export interface ReaderWorker {
  /** How many questions it works on. */
  readonly active: number;
  /** Rejects with a `StoreBusyError` where the thread is lost or the time is up, and with a `TooManyRowsError`. */
  ask(question: Question): Promise<Rows>;
  end(): Promise<void>;
}

/** A few connections, and the answers on their way. */
const heapLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 };

/** Starts a thread; `onEnd` is called when it ends, however that comes. */
export function startReaderWorker(settings: ReaderSettings, onEnd: () => void): ReaderWorker {
  const worker = new Worker(new URL("reader-thread.ts", import.meta.url), {
    name: "list reader",
    workerData: settings,
    resourceLimits: heapLimits,
  });
  const asked = new Map<number, PromiseWithResolvers<Rows>>();
  let next = 0;
  let isEnding = false;
  worker.unref();

  worker.on("message", (message: AnswerMessage) => {
    const waiting = asked.get(message.id);
    asked.delete(message.id);
    if (asked.size === 0 && !isEnding) worker.unref();
    if ("rows" in message) waiting?.resolve(message.rows);
    else waiting?.reject(errorOf(message, settings));
  });
  worker.on("error", (error) => fail(error));
  worker.on("exit", () => {
    onEnd();
    fail(undefined);
  });

  return {
    get active() {
      return asked.size;
    },
    ask: (question) => {
      const waiting = Promise.withResolvers<Rows>();
      next += 1;
      asked.set(next, waiting);
      // The caller that waits for the answer may be all that keeps the process alive.
      worker.ref();
      worker.postMessage({ id: next, question } satisfies QuestionMessage);
      return waiting.promise;
    },
    end: async () => {
      isEnding = true;
      await worker.terminate();
    },
  };

  function fail(cause: unknown): void {
    const all = [...asked.values()];
    asked.clear();
    for (const { reject } of all) {
      reject(new StoreBusyError("a thread that reads was lost: ask again", { cause }));
    }
  }
}

function errorOf(
  { failure }: Extract<AnswerMessage, { readonly failure: unknown }>,
  { limits }: ReaderSettings,
): unknown {
  if (failure === "rows") return new TooManyRowsError(limits.rowsMax);
  if (failure === "time") {
    return new StoreBusyError(
      `the read took longer than ${limits.timeMs} ms (reads.timeMs): ask again later`,
    );
  }
  // Errors lose their fields on the way between threads.
  return declaredFault(Object.assign(new Error(failure.message), { errcode: failure.errcode }));
}
