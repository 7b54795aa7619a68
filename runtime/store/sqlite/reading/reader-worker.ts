import { startWorker, WorkerLostError } from "../../../contract/worker.ts";
import { StoreBusyError, TooManyRowsError } from "../../ports/index.ts";
import { declaredFault } from "../errors.ts";
import type { Question, ReadAnswer, ReaderSettings, ReadFailure, Rows } from "./reader-messages.ts";

export type { Rows };

/** A thread that answers questions. */
export interface ReaderWorker {
  /** How many questions it works on. */
  readonly active: number;
  /** Rejects with a `StoreBusyError` where the thread is lost or the time is up, and with a `TooManyRowsError`. */
  ask(question: Question): Promise<Rows>;
  end(): Promise<void>;
}

/** A few connections, and the answers on their way. */
const limits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 };

/** Starts a thread; `onEnd` is called when it ends, however that comes. */
export function startReaderWorker(settings: ReaderSettings, onEnd: () => void): ReaderWorker {
  const thread = startWorker<Question, ReadAnswer, ReaderSettings>(
    new URL("reader-thread.ts", import.meta.url),
    { name: "list reader", data: settings, limits, onEnd },
  );
  return {
    get active() {
      return thread.active;
    },
    ask: async (question) => {
      const answer = await thread.ask(question).catch((error: unknown) => {
        throw error instanceof WorkerLostError
          ? new StoreBusyError("a thread that reads was lost: ask again", { cause: error.cause })
          : error;
      });
      if ("rows" in answer) return answer.rows;
      throw errorOf(answer.failure, settings);
    },
    end: thread.end,
  };
}

function errorOf(failure: ReadFailure, { limits: { rowsMax, timeMs } }: ReaderSettings): unknown {
  if (failure === "rows") return new TooManyRowsError(rowsMax);
  if (failure === "time") {
    return new StoreBusyError(`the read took longer than ${timeMs} ms (reads.timeMs): ask again later`);
  }
  // Errors lose their fields on the way between threads.
  return declaredFault(Object.assign(new Error(failure.message), { errcode: failure.errcode }));
}
