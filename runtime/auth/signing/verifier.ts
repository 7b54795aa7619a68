import { availableParallelism } from "node:os";
import type { SignatureVerifier } from "../auth-services.ts";
import type { KeyObject } from "node:crypto";
import { startWorker } from "../../contract/worker.ts";
import { isValidSignature, type SignedBytes } from "./signatures.ts";
import { fillSlot, slotMemory, slotsOf } from "./verifying-slot.ts";
import type { VerifySlotMessage, VerifyingWorkerData } from "./verifying-worker.ts";

export interface VerifierOptions {
  /** Threads that help where many signatures arrive at once. Default: one fewer than there are processors, at most 3. */
  readonly threads?: number;
}

export interface ProcessVerifier extends SignatureVerifier {
  /** Ends its threads. */
  close(): Promise<void>;
}

/** Verified on the main thread in one go before other work gets its turn: about 2 ms alone, and less beside threads. */
const perTurnMax = 32;
const besideThreads = 4;
/** Fewer than this are not worth a thread, which takes more of the processor in all. */
const flood = 4;

/**
 * One for the process. Signatures that arrive in one turn of the event loop are verified back to back, so code and
 * tables stay in the processor's caches. If many arrive and there are several processors, threads take what they can.
 * The main thread verifies a few of the rest each turn, more when it has less else to do.
 */
export function createVerifier(options: VerifierOptions = {}): ProcessVerifier {
  const { threads = Math.min(availableParallelism() - 1, 3) } = options;
  const pool = threads > 0 ? createVerifyingPool(threads) : undefined;
  let waiting: Verification[] = [];

  function flush(): void {
    const hasHelp = pool !== undefined && waiting.length >= flood;
    if (hasHelp) pool.take(waiting);
    const batch = waiting.splice(0, hasHelp ? besideThreads : perTurnMax);
    if (waiting.length > 0) setImmediate(flush);
    const verdicts = batch.map(isValidSignature);
    batch.forEach(({ resolve }, index) => resolve(verdicts[index] === true));
  }

  return {
    verify: (key, bytes, signature) =>
      new Promise((resolve) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ key, bytes, signature, resolve });
      }),
    close: async () => pool?.close(),
  };
}

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

/** One is verified while the other is filled. */
const slotsEach = 2;
/** Keys that a thread keeps; beyond, it starts anew. */
const keysMax = 1024;
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
      for (const thread of threads) thread.take(waiting, share);
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
  /** Takes up to `most` of the first of `waiting` out of it, if a slot is free. */
  take(waiting: Verification[], most: number): void;
  end(): Promise<void>;
}

function startThread(onEnd: (wasReady: boolean) => void): VerifyingThread {
  const memory = slotMemory(slotsEach);
  const slots = slotsOf(memory);
  const thread = startWorker<VerifySlotMessage, void, VerifyingWorkerData>(
    new URL("verifying-worker.ts", import.meta.url),
    {
      name: "signatures",
      data: { memory },
      limits: heapLimits,
      isInBackground: true,
      onEnd,
    },
  );
  const busy = new Set<number>();
  const keyIndexes = new Map<KeyObject, number>();

  function keyIndexOf(key: KeyObject): number {
    const index = keyIndexes.get(key) ?? keyIndexes.size;
    keyIndexes.set(key, index);
    return index;
  }

  async function verify(message: VerifySlotMessage, batch: readonly Verification[]): Promise<void> {
    const { slot } = message;
    busy.add(slot);
    try {
      await thread.ask(message);
      busy.delete(slot);
      batch.forEach(({ resolve }, index) => resolve(slots[slot]?.verdicts[index] === 1));
    } catch {
      // What a thread was given that is lost is verified here.
      for (const lost of batch) lost.resolve(isValidSignature(lost));
    }
  }

  return {
    get isReady() {
      return thread.isReady;
    },
    take: (waiting, most) => {
      const slot = slots.findIndex((_, index) => !busy.has(index));
      const free = slots[slot];
      if (!thread.isReady || free === undefined || waiting.length === 0) return;
      if (keyIndexes.size + most > keysMax) keyIndexes.clear();
      const newKeysAt = keyIndexes.size;
      const batch = waiting.splice(0, fillSlot(free, waiting.slice(0, most), keyIndexOf));
      if (batch.length === 0) return;
      const newKeys = [...keyIndexes.keys()].slice(newKeysAt);
      void verify({ slot, newKeys, newKeysAt }, batch);
    },
    end: thread.end,
  };
}
