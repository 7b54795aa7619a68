import { setImmediate as eventLoopTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import {
  createNotificationSigner,
  type NotificationDraft,
  type SignedNotification,
} from "./signed-notification.ts";
import { createDraftPacker, unpackSigned, type SignedMessage } from "./signing-messages.ts";

/** Builds and signs notifications: the costly part of sending them. */
export interface SigningPool {
  sign(draft: NotificationDraft): Promise<SignedNotification>;
  close(): Promise<void>;
}

interface SigningRequest {
  readonly draft: NotificationDraft;
  resolve(signed: SignedNotification): void;
  reject(reason: unknown): void;
}

/** Fewer requests than this take a fraction of a millisecond: they are signed without the worker. */
const batchMin = 8;
/** Requests in one batch: the first waits for the last. */
const batchMax = 64;
/** Signed ones handed back in a turn of the event loop: each is sent at once, perhaps over a new connection. */
const answeredPerTurn = 8;

/** Gathers the requests of one turn of the event loop; many of them are signed as a batch, on a worker that starts then. */
export function createSigningPool(): SigningPool {
  const waiting: SigningRequest[] = [];
  const signHere = createNotificationSigner();
  /** Hands back what the worker has signed. */
  const answers: (() => void)[] = [];
  let thread: SigningWorker | undefined;
  let isGathering = false;
  let isAnswering = false;

  function gathered(): void {
    isGathering = false;
    if (waiting.length >= batchMin || thread?.isBusy === true) {
      handOver();
      return;
    }
    for (const { draft, resolve, reject } of waiting.splice(0)) {
      try {
        resolve(signHere(draft));
      } catch (error) {
        reject(error);
      }
    }
  }
  function handOver(): void {
    if (waiting.length === 0) return;
    thread ??= startSigningWorker({
      onSigned: (all) => {
        answers.push(...all);
        handOver();
        if (!isAnswering) void answerInTurns();
      },
      onLost: () => {
        thread = undefined;
        handOver();
      },
    });
    // Later requests form the next batch.
    if (!thread.isBusy) thread.send(waiting.splice(0, batchMax));
  }
  /** Between two parts others have a turn: hundreds of new connections in one go would hold up every call. */
  async function answerInTurns(): Promise<void> {
    isAnswering = true;
    while (answers.length > 0) {
      for (const answer of answers.splice(0, answeredPerTurn)) answer();
      await eventLoopTurn();
    }
    isAnswering = false;
  }

  return {
    sign: (draft) =>
      new Promise((resolve, reject) => {
        waiting.push({ draft, resolve, reject });
        if (isGathering) return;
        isGathering = true;
        setImmediate(gathered);
      }),
    close: async () => thread?.end(),
  };
}

interface SigningWorker {
  readonly isBusy: boolean;
  send(batch: readonly SigningRequest[]): void;
  end(): Promise<void>;
}

interface SigningListener {
  /** Takes what hands back each request of a batch that was signed. */
  onSigned(answers: readonly (() => void)[]): void;
  /** The worker is gone, and what it had was refused. */
  onLost(): void;
}

function startSigningWorker({ onSigned, onLost }: SigningListener): SigningWorker {
  const worker = new Worker(new URL("signing-worker.ts", import.meta.url));
  worker.unref();
  let batch: readonly SigningRequest[] = [];
  const packed = createDraftPacker();

  worker.on("message", (message: SignedMessage) => {
    const answered = batch;
    batch = [];
    onSigned(unpackSigned(message).map((signed, index) => () => answered[index]?.resolve(signed)));
  });
  worker.on("error", (error) => {
    for (const { reject } of batch) reject(error);
    onLost();
  });
  return {
    get isBusy() {
      return batch.length > 0;
    },
    send(asked) {
      batch = asked;
      worker.postMessage(packed(asked.map(({ draft }) => draft)));
    },
    async end() {
      await worker.terminate();
    },
  };
}
