import {
  MessageChannel,
  parentPort,
  receiveMessageOnPort,
  Worker,
  workerData,
  type MessagePort,
  type ResourceLimits,
  type Transferable,
} from "node:worker_threads";
import { messageOf } from "../contract/values.ts";

/** A thread that answers tasks, which may be answered in another order. */
export interface TaskWorker<Task, Answer> {
  /** Tasks that have no answer yet. */
  readonly active: number;
  /** Whether the thread runs. */
  readonly isReady: boolean;
  /** Rejects with a `WorkerLostError` where the thread ends before it answers, and with an error for one that it threw. */
  ask(task: Task): Promise<Answer>;
  /** Ends the thread. Tasks without an answer are lost. */
  end(): Promise<void>;
}

/** The thread ended, or was ended, before it answered. */
export class WorkerLostError extends Error {
  override readonly name = "WorkerLostError";
}

export interface WorkerOptions<Data> {
  /** What the thread is started with. */
  readonly data: Data;
  readonly name?: string;
  readonly limits?: ResourceLimits;
  /** Whether a process may end while a task has no answer. Default: it lives on. */
  readonly isInBackground?: boolean;
  /** Called when the thread has ended, however that came, before its tasks are refused. */
  onEnd?(wasReady: boolean): void;
}

interface TaskMessage<Task> {
  readonly id: number;
  readonly task: Task;
}

type AnswerMessage<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly failure: string };

/** The start data of a thread beside its own: where tasks come from, if their asker waits for each answer. */
interface Started<Data> {
  readonly data: Data;
  readonly waiting?: Waiting;
}

interface Waiting {
  readonly port: MessagePort;
  /** Becomes 1 when an answer is there. */
  readonly answered: Int32Array<SharedArrayBuffer>;
}

/** Starts the thread of a module that calls `answerTasks`. */
// oxlint-disable-next-line max-lines-per-function -- every event changes what is known of one thread
export function startWorker<Task, Answer, Data>(
  module: URL,
  { data, name, limits, isInBackground = false, onEnd }: WorkerOptions<Data>,
): TaskWorker<Task, Answer> {
  const worker = new Worker(module, {
    workerData: { data } satisfies Started<Data>,
    ...(name !== undefined && { name }),
    ...(limits !== undefined && { resourceLimits: limits }),
  });
  const asked = new Map<number, PromiseWithResolvers<Answer>>();
  let tasks = 0;
  let isReady = false;
  let isEnding = false;
  let cause: unknown;
  worker.on("online", () => {
    isReady = true;
  });
  worker.on("message", (message: AnswerMessage<Answer>) => {
    const waiting = asked.get(message.id);
    asked.delete(message.id);
    if (asked.size === 0 && !isEnding) worker.unref();
    if ("failure" in message) waiting?.reject(new Error(message.failure));
    else waiting?.resolve(message.answer);
  });
  worker.on("error", (error) => {
    cause = error;
  });
  worker.on("exit", () => {
    const wasReady = isReady;
    isReady = false;
    isEnding = true;
    onEnd?.(wasReady);
    for (const { reject } of asked.values()) reject(lost(cause));
    asked.clear();
  });
  // After its listeners: one for messages keeps the process alive again.
  worker.unref();

  return {
    get active() {
      return asked.size;
    },
    get isReady() {
      return isReady;
    },
    ask: (task) => {
      if (isEnding) return Promise.reject(lost(cause));
      const waiting = Promise.withResolvers<Answer>();
      tasks += 1;
      asked.set(tasks, waiting);
      // The caller that waits for the answer may be all that keeps the process alive.
      if (!isInBackground) worker.ref();
      worker.postMessage({ id: tasks, task } satisfies TaskMessage<Task>);
      return waiting.promise;
    },
    end: async () => {
      isEnding = true;
      await worker.terminate();
    },
  };
}

function lost(cause: unknown): WorkerLostError {
  return new WorkerLostError("the thread ended before it answered", { cause });
}

/** The same, started with the first task, and anew with the next one after it was lost. */
export function workerOnDemand<Task, Answer, Data>(
  module: URL,
  options: WorkerOptions<Data>,
): Pick<TaskWorker<Task, Answer>, "ask" | "end"> {
  let worker: TaskWorker<Task, Answer> | undefined;
  return {
    ask: (task) => {
      worker ??= startWorker(module, {
        ...options,
        onEnd: () => {
          worker = undefined;
        },
      });
      return worker.ask(task);
    },
    end: async () => worker?.end(),
  };
}

/** A thread whose answers are waited for: they hold up the process. */
export interface WaitedWorker<Task, Answer> {
  /** Throws what the thread threw, and where it does not answer in time. */
  ask(task: Task): Answer;
  end(): Promise<void>;
}

export function startWaitedWorker<Task, Answer, Data>(
  module: URL,
  { data, waitMs }: { readonly data: Data; readonly waitMs: number },
): WaitedWorker<Task, Answer> {
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const { port1: own, port2: port } = new MessageChannel();
  const worker = new Worker(module, {
    workerData: { data, waiting: { answered, port } } satisfies Started<Data>,
    transferList: [port],
  });
  let id = 0;
  return {
    ask: (task) => {
      id += 1;
      Atomics.store(answered, 0, 0);
      own.postMessage({ id, task } satisfies TaskMessage<Task>);
      // The thread may still wake the wait for its former answer, after that was found without waiting.
      while (Atomics.load(answered, 0) === 0) {
        if (Atomics.wait(answered, 0, 0, waitMs) === "timed-out")
          throw new Error("the thread does not answer");
      }
      const answer: AnswerMessage<Answer> = receiveMessageOnPort(own)?.message;
      if ("failure" in answer) throw new Error(answer.failure);
      return answer.answer;
    },
    end: async () => {
      own.close();
      await worker.terminate();
    },
  };
}

/**
 * Called once by the module of a thread: `begin` takes the data that it was started with and gives what answers a task. Several may be
 * under way. `transferred` names what an answer hands over instead of copying it.
 */
export function answerTasks<Data, Task, Answer>(
  begin: (data: Data) => (task: Task) => Answer | Promise<Answer>,
  transferred: (answer: Answer) => readonly Transferable[] = () => [],
): void {
  const { data, waiting }: Started<Data> = workerData;
  const port = waiting?.port ?? parentPort;
  const answerOf = begin(data);
  port?.on("message", async ({ id, task }: TaskMessage<Task>) => {
    try {
      const answer = answerOf(task);
      const ready = answer instanceof Promise ? await answer : answer;
      post({ id, answer: ready }, transferred(ready));
    } catch (error) {
      post({ id, failure: messageOf(error) }, []);
    }
  });

  function post(message: AnswerMessage<Answer>, handedOver: readonly Transferable[]): void {
    port?.postMessage(message, handedOver);
    if (waiting === undefined) return;
    Atomics.store(waiting.answered, 0, 1);
    Atomics.notify(waiting.answered, 0);
  }
}
