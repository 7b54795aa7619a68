import { Worker } from "node:worker_threads";
import { isValidSignature, type SignedBytes } from "./is-valid-signature.ts";
import { packSignatures, type VerdictsMessage } from "./verifying-messages.ts";

/** A signature to verify, and who waits for the verdict. */
export interface Verification extends SignedBytes {
  resolve(isValid: boolean): void;
}

/** Verifies signatures on threads of its own, which start one by one when they are needed. */
export interface VerifyingPool {
  /** Hands over the first of `waiting`, as many as the threads have room for, and takes them out of it. */
  take(waiting: Verification[]): void;
  close(): Promise<void>;
}

/** What one thread has before it at most: 2 ms of work, so that it does not run dry while the main thread is busy. */
const perThreadMax = 32;
/** A message costs as much as some of the signatures in it: a thread gets the next when half of these are done. */
const perMessageMin = 16;
const heapLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 32 };

export function createVerifyingPool(threadsMax: number): VerifyingPool {
  let threads: readonly VerifyingThread[] = [];
  /** Until a thread was lost before it was ready: the next would be, too. */
  let isStartable = true;

  function start(): void {
    const thread = startThread((wasReady) => {
      threads = threads.filter((one) => one !== thread);
      isStartable &&= wasReady;
    });
    threads = [...threads, thread];
  }

  return {
    take(waiting) {
      const share = Math.ceil(waiting.length / threadsMax);
      for (const thread of threads) thread.verify(waiting.splice(0, Math.min(thread.room, share)));
      const isStarting = threads.some(({ isReady }) => !isReady);
      if (waiting.length > 0 && threads.length < threadsMax && isStartable && !isStarting) start();
    },
    close: async () => {
      isStartable = false;
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}

interface VerifyingThread {
  readonly isReady: boolean;
  /** How many more it takes now. */
  readonly room: number;
  verify(batch: readonly Verification[]): void;
  end(): Promise<void>;
}

function startThread(onEnd: (wasReady: boolean) => void): VerifyingThread {
  const worker = new Worker(new URL("verifying-worker.ts", import.meta.url), {
    name: "signatures",
    resourceLimits: heapLimits,
  });
  const batches: (readonly Verification[])[] = [];
  let isReady = false;
  let outstanding = 0;
  worker.on("online", () => {
    isReady = true;
  });
  worker.on("message", ({ verdicts }: VerdictsMessage) => {
    const batch = batches.shift() ?? [];
    outstanding -= batch.length;
    batch.forEach(({ resolve }, index) => resolve(verdicts[index] === 1));
  });
  worker.on("error", () => undefined);
  // What it was given is verified here.
  worker.on("exit", () => {
    onEnd(isReady);
    for (const lost of batches.splice(0).flat()) lost.resolve(isValidSignature(lost));
  });
  worker.unref();
  return {
    get isReady() {
      return isReady;
    },
    get room() {
      const room = perThreadMax - outstanding;
      return isReady && room >= perMessageMin ? room : 0;
    },
    verify: (batch) => {
      if (batch.length === 0) return;
      batches.push(batch);
      outstanding += batch.length;
      const message = packSignatures(batch);
      worker.postMessage(message, [message.layout.buffer, message.packed.buffer]);
    },
    end: async () => void (await worker.terminate()),
  };
}
