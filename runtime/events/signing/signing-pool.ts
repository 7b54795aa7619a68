import { setImmediate as eventLoopTurn } from "node:timers/promises";
import { startWorker, WorkerLostError } from "../../platform/worker.ts";
import {
  createNotificationSigner,
  type NotificationDraft,
  type SignedNotification,
} from "./signed-notification.ts";
import {
  createDraftPacker,
  unpackSigned,
  type DraftsMessage,
  type SignedMessage,
} from "./signing-messages.ts";

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
  const answer = answersInTurns();
  let thread: SigningWorker | undefined;
  let isGathering = false;
  let isClosed = false;

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
    if (waiting.length === 0 || isClosed) return;
    thread ??= startSigningWorker({
      onSigned: (all) => {
        answer(all);
        handOver();
      },
      onLost: () => {
        thread = undefined;
        handOver();
      },
    });
    // Later requests form the next batch.
    if (!thread.isBusy) thread.send(waiting.splice(0, batchMax));
  }
  return {
    sign: (draft) =>
      new Promise((resolve, reject) => {
        waiting.push({ draft, resolve, reject });
        if (isGathering) return;
        isGathering = true;
        setImmediate(gathered);
      }),
    close: async () => {
      isClosed = true;
      await thread?.end();
    },
  };
}

/**
 * Hands back what was signed, some in each turn of the event loop: hundreds of new connections in one go would hold up
 * every call.
 */
function answersInTurns(): (all: readonly (() => void)[]) => void {
  const answers: (() => void)[] = [];
  let isAnswering = false;
  async function answerInTurns(): Promise<void> {
    isAnswering = true;
    while (answers.length > 0) {
      for (const answer of answers.splice(0, answeredPerTurn)) answer();
      await eventLoopTurn();
    }
    isAnswering = false;
  }
  return (all) => {
    answers.push(...all);
    if (!isAnswering) void answerInTurns();
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
  const packed = createDraftPacker();
  const thread = startWorker<DraftsMessage, SignedMessage, undefined>(
    new URL("signing-worker.ts", import.meta.url),
    { data: undefined, isInBackground: true },
  );
  async function sign(batch: readonly SigningRequest[]): Promise<void> {
    try {
      const message = await thread.ask(packed(batch.map(({ draft }) => draft)));
      onSigned(unpackSigned(message).map((signed, index) => () => batch[index]?.resolve(signed)));
    } catch (error) {
      for (const { reject } of batch)
        reject(error instanceof WorkerLostError ? (error.cause ?? error) : error);
      if (error instanceof WorkerLostError) onLost();
      else onSigned([]);
    }
  }
  return {
    get isBusy() {
      return thread.active > 0;
    },
    send: (batch) => void sign(batch),
    end: thread.end,
  };
}
