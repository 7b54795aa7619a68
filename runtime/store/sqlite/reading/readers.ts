import { availableParallelism } from "node:os";
import { StoreBusyError, TooManyRowsError } from "../../ports/index.ts";
import type { ReadOptions } from "../../common/adapter.ts";
import { createFairQueue } from "../../../contract/queues.ts";
import type { Listing } from "../../sql/listing.ts";
import type { SqliteValue } from "../connection.ts";
import type { Question, ReadAnswer, ReaderSettings, ReadFailure, Rows } from "./reader-tasks.ts";
import { startWorker, WorkerLostError } from "../../../platform/worker.ts";
import { declaredFault } from "../errors.ts";

/** Reads that may take long, on threads of their own: everything else goes on meanwhile. */
export interface Readers {
  /** The rows of a page. */
  list<Asked, R>(listing: Listing<Asked, R>, asked: Asked): Promise<Rows>;
  /** The rows of one statement, which looks at a bounded number. */
  rows(sql: string, values: readonly SqliteValue[]): Promise<Rows>;
  /**
   * Begins nothing more, so that the log can start over, and gives whether nothing is being read any more. Waiting
   * readers go on with `release`, or a second after the last read is done.
   */
  hold(): boolean;
  release(): void;
  /** Ends the threads. What was asked for is given up. */
  close(): Promise<void>;
}

/** Questions that a thread works on in turns, and how many of one caller's at once. */
const activePerThread = 16;
const activePerCaller = 2;
const waitingBounds = { perCallerMax: 64, totalMax: 1_024 };
const noCaller = "";
/** A caller that holds reads back may forget to release them: they go on after this time. */
const heldQuietMsMax = 1_000;
const automaticThreadsMax = 4;

interface Waiting {
  readonly question: Question;
  readonly answer: PromiseWithResolvers<Rows>;
}

/** Threads are started when they are first needed, and again if one was lost. Callers are served in turns. */
// oxlint-disable-next-line max-lines-per-function -- every step changes what waits and what is asked
export function createReaders(file: string, options: ReadOptions): Readers {
  const { rowsMax, timeMs } = options;
  const threads = options.threads || Math.max(1, Math.min(automaticThreadsMax, availableParallelism() - 1));
  const workers = new Set<ReaderWorker>();
  const queue = createFairQueue<Waiting>(waitingBounds);
  const activeOf = new Map<string, number>();
  let isClosed = false;
  let lastTurn: Promise<void> = Promise.resolve();
  let isHeld = false;
  let quietTimer: NodeJS.Timeout | undefined;

  return {
    list: ({ module, name, callerOf }, asked) =>
      ask(callerOf(asked) ?? noCaller, { kind: "list", module, name, asked }),
    hold: () => {
      isHeld = true;
      limitHold();
      return activeOf.size === 0;
    },
    release,
    rows: (sql, values) => ask(noCaller, { kind: "rows", sql, values }),
    close: async () => {
      isClosed = true;
      clearTimeout(quietTimer);
      for (const { answer } of queue.drain()) answer.reject(closed());
      await Promise.all([...workers].map((worker) => worker.end()));
    },
  };

  /** Lists that end together are handed out one per turn of the event loop: other calls go between them. */
  function turn(): Promise<void> {
    lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
    return lastTurn;
  }

  function ask(caller: string, question: Question): Promise<Rows> {
    if (isClosed) return Promise.reject(closed());
    const answer = Promise.withResolvers<Rows>();
    if (!queue.push(caller, { question, answer })) {
      return Promise.reject(new StoreBusyError("too many reads are waiting already: ask again later"));
    }
    goOn();
    return answer.promise;
  }

  function release(): void {
    clearTimeout(quietTimer);
    quietTimer = undefined;
    isHeld = false;
    goOn();
  }

  function limitHold(): void {
    if (isHeld && activeOf.size === 0) quietTimer ??= setTimeout(release, heldQuietMsMax).unref();
  }

  /** Hands out what waits as far as threads and callers may have more. */
  function goOn(): void {
    if (isHeld || isClosed) return;
    for (let worker = freeWorker(); worker !== undefined; worker = freeWorker()) {
      const next = queue.shift((caller) => (activeOf.get(caller) ?? 0) < activePerCaller);
      if (next === undefined) return;
      void run(worker, next.caller, next.item);
    }
  }

  async function run(worker: ReaderWorker, caller: string, { question, answer }: Waiting): Promise<void> {
    activeOf.set(caller, (activeOf.get(caller) ?? 0) + 1);
    try {
      const rows = await worker.ask(question);
      await turn();
      answer.resolve(rows);
    } catch (error) {
      answer.reject(error);
    } finally {
      const left = (activeOf.get(caller) ?? 1) - 1;
      if (left === 0) activeOf.delete(caller);
      else activeOf.set(caller, left);
      limitHold();
      goOn();
    }
  }

  /** The thread with the least to do. Another one is started while all are at work. */
  function freeWorker(): ReaderWorker | undefined {
    if (queue.size === 0) return undefined;
    const least = [...workers].toSorted((left, right) => left.active - right.active)[0];
    if (least !== undefined && (least.active === 0 || workers.size >= threads)) {
      return least.active < activePerThread ? least : undefined;
    }
    const worker = startReaderWorker({ file, limits: { rowsMax, timeMs } }, () => workers.delete(worker));
    workers.add(worker);
    return worker;
  }
}

function closed(): Error {
  return new Error("the store is closed");
}

export type { Rows };

/** A thread that answers questions. */
interface ReaderWorker {
  /** How many questions it works on. */
  readonly active: number;
  /** Rejects with a `StoreBusyError` where the thread is lost or the time is up, and with a `TooManyRowsError`. */
  ask(question: Question): Promise<Rows>;
  end(): Promise<void>;
}

/** A few connections, and the answers on their way. */
const limits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 };

/** Starts a thread; `onEnd` is called when it ends, however that comes. */
function startReaderWorker(settings: ReaderSettings, onEnd: () => void): ReaderWorker {
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
