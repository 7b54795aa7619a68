import { availableParallelism } from "node:os";
import type { SignatureVerifier } from "../auth-services.ts";
import { isValidSignature } from "./signature-encoding.ts";
import { createVerifyingPool, type Verification } from "./verifying-pool.ts";

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
