import type { KeyObject } from "node:crypto";
import { startWorker } from "../platform/worker.ts";
import { isValidSignature, type SignedBytes } from "../auth/signing/index.ts";

/** The data that the thread is started with. */
export interface VerifyingWorkerData {
  readonly memory: SharedArrayBuffer;
}

/** Asks for the verdicts of a slot. */
export interface VerifySlotMessage {
  readonly slot: number;
  /** Keys that the thread has not, and the index of the first of them: those from there on are forgotten. */
  readonly newKeys: readonly KeyObject[];
  readonly newKeysAt: number;
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

/**
 * A piece of memory that two threads share, for a batch of signatures and then their verdicts. It is used again and again:
 * what messages carry would pile up until the other thread's garbage is collected.
 */
interface VerifyingSlot {
  /** The number of signatures, and of each: the index of its key, the lengths of what was signed and of the signature. */
  readonly numbers: Uint32Array;
  /** The signed bytes and the signature of each request. */
  readonly bytes: Uint8Array;
  /** For each signature: 1 if it is valid. */
  readonly verdicts: Uint8Array;
}

/** Signatures in one slot. */
const perSlotMax = 32;
const numbersEach = 3;
const numbersBytes = (1 + perSlotMax * numbersEach) * Uint32Array.BYTES_PER_ELEMENT;
const slotBytes = 32 * 1024;

/** Room for `slots` batches. */
function slotMemory(slots: number): SharedArrayBuffer {
  return new SharedArrayBuffer(slots * slotBytes);
}

export function slotsOf(memory: SharedArrayBuffer): readonly VerifyingSlot[] {
  return Array.from({ length: memory.byteLength / slotBytes }, (_, index) => {
    const start = index * slotBytes;
    const verdictsStart = start + numbersBytes;
    const bytesStart = verdictsStart + perSlotMax;
    return {
      numbers: new Uint32Array(memory, start, numbersBytes / Uint32Array.BYTES_PER_ELEMENT),
      verdicts: new Uint8Array(memory, verdictsStart, perSlotMax),
      bytes: new Uint8Array(memory, bytesStart, start + slotBytes - bytesStart),
    };
  });
}

/** Writes the first of `waiting`, as many as fit. Gives their number. */
function fillSlot(
  { numbers, bytes }: VerifyingSlot,
  waiting: readonly SignedBytes[],
  keyIndexOf: (key: KeyObject) => number,
): number {
  let count = 0;
  let at = 0;
  for (const { key, bytes: signed, signature } of waiting) {
    const end = at + signed.length + signature.length;
    if (count === perSlotMax || end > bytes.length) break;
    bytes.set(signed, at);
    bytes.set(signature, at + signed.length);
    numbers.set([keyIndexOf(key), signed.length, signature.length], 1 + count * numbersEach);
    at = end;
    count += 1;
  }
  numbers[0] = count;
  return count;
}

/** Replaces a batch by its verdicts. */
export function verifySlot(
  { numbers, bytes, verdicts }: VerifyingSlot,
  keys: readonly KeyObject[],
  isValid: (signed: SignedBytes) => boolean,
): void {
  let at = 0;
  for (let position = 0; position < (numbers[0] ?? 0); position += 1) {
    const [index = 0, signedLength = 0, signatureLength = 0] = numbers.subarray(1 + position * numbersEach);
    const key = keys[index];
    const signedEnd = at + signedLength;
    const signature = bytes.subarray(signedEnd, signedEnd + signatureLength);
    const signed = { bytes: bytes.subarray(at, signedEnd), signature };
    verdicts[position] = Number(key !== undefined && isValid({ key, ...signed }));
    at = signedEnd + signatureLength;
  }
}
