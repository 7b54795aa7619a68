import { sign, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { digestOf, type KeyMessage, type TextsMessage } from "./signing-thread.ts";

/** Gives a signature in base64: P-256 keys sign the SHA-256 of the text (DER), Ed25519 keys the text. */
export type SignText = (key: KeyObject, text: string) => Promise<string>;

/** Signs aside from the main thread: the costly part of a notification. */
export interface Signatures {
  readonly sign: SignText;
  close(): Promise<void>;
}

const signAside = promisify(sign);

/** Signs in Node's own pool of threads. */
export const signInPool: SignText = async (key, text) =>
  (await signAside(digestOf(key), Buffer.from(text), key)).toString("base64");

interface Asked {
  readonly key: KeyObject;
  readonly text: string;
  resolve(signature: string | Promise<string>): void;
  reject(reason: unknown): void;
}

/** What comes together and is less than this is signed in the pool. */
const flood = 8;
/** The first of a batch waits for its last. */
const batchMax = 64;
/** Batches with the thread at once: it need not wait for the next one. */
const batchesMax = 1;

/**
 * The pool wakes a thread for each signature and answers each by itself, which in a flood takes longer than signing.
 * So what comes together is then handed over together, to a thread that is started when it is first needed.
 */
export function createSignatures(): Signatures {
  const waiting: Asked[] = [];
  let thread: SigningThread | undefined;
  let isGathering = false;

  function gathered(): void {
    isGathering = false;
    if (waiting.length < flood && (thread?.batches.length ?? 0) === 0) {
      for (const { key, text, resolve } of waiting.splice(0)) resolve(signInPool(key, text));
    } else {
      handOver();
    }
  }
  function handOver(): void {
    while (waiting.length > 0) {
      thread ??= startSigningThread(handOver, () => {
        thread = undefined;
      });
      if (thread.batches.length === batchesMax) return;
      thread.send(waiting.splice(0, batchMax));
    }
  }

  return {
    sign: (key, text) =>
      new Promise((resolve, reject) => {
        waiting.push({ key, text, resolve, reject });
        if (isGathering) return;
        isGathering = true;
        setImmediate(gathered);
      }),
    close: async () => thread?.end(),
  };
}

interface SigningThread {
  /** Sent and not yet answered. */
  readonly batches: readonly (readonly Asked[])[];
  send(batch: readonly Asked[]): void;
  end(): Promise<void>;
}

function startSigningThread(onAnswer: () => void, onEnd: () => void): SigningThread {
  const worker = new Worker(new URL("signing-thread.ts", import.meta.url));
  worker.unref();
  const batches: (readonly Asked[])[] = [];
  const numbers = new Map<KeyObject, number>();

  worker.on("message", (signatures: readonly string[]) => {
    for (const [index, { resolve }] of batches.shift()?.entries() ?? []) resolve(signatures[index] ?? "");
    onAnswer();
  });
  worker.on("error", (error) => {
    onEnd();
    for (const { reject } of batches.splice(0).flat()) reject(error);
    onAnswer();
  });

  function numberOf(key: KeyObject): number {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = numbers.size;
    numbers.set(key, number);
    worker.postMessage({ kind: "key", number, key } satisfies KeyMessage);
    return number;
  }
  return {
    batches,
    send(batch) {
      const keys = batch.map(({ key }) => numberOf(key));
      const texts = batch.map(({ text }) => text);
      batches.push(batch);
      worker.postMessage({ kind: "texts", texts, keys } satisfies TextsMessage);
    },
    async end() {
      await worker.terminate();
    },
  };
}
