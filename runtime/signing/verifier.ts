import { verify, type KeyObject } from "node:crypto";
import type { SignatureVerifier } from "../ports/index.ts";

export interface VerifierOptions {
  /**
   * `turn` verifies what arrived during one turn of the event loop back to back on this thread, so that code and
   * tables stay in the processor's caches: least work per request. `threads` hands each to libuv's pool: most
   * requests per second where cores are idle. Default `turn`.
   */
  readonly mode?: "turn" | "threads";
  /** How many are verified in one go before other work gets its turn. Default 32, about 4 ms. */
  readonly perTurnMax?: number;
  /** While this says so, other work waits: two are verified in one go. Default: never. */
  readonly isBurst?: () => boolean;
}

interface Waiting {
  readonly key: KeyObject;
  readonly bytes: Uint8Array;
  readonly signature: Uint8Array;
  readonly resolve: (valid: boolean) => void;
}

/** One for the process. */
export function createVerifier(options: VerifierOptions = {}): SignatureVerifier {
  return options.mode === "threads" ? { verify: verifyInPool } : verifyByTurn(options);
}

const burstPerTurn = 2;

function verifyByTurn({ perTurnMax = 32, isBurst = () => false }: VerifierOptions): SignatureVerifier {
  let waiting: Waiting[] = [];

  function flush(): void {
    const batch = waiting;
    const most = isBurst() ? burstPerTurn : perTurnMax;
    waiting = batch.length > most ? batch.splice(most) : [];
    if (waiting.length > 0) setImmediate(flush);
    const verdicts = batch.map(isValid);
    batch.forEach(({ resolve }, index) => resolve(verdicts[index] === true));
  }

  return {
    verify: (key, bytes, signature) =>
      new Promise((resolve) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ key, bytes, signature, resolve });
      }),
  };
}

/** The key object itself, without options: anything else costs Node a copy of the key for each call. */
function isValid({ key, bytes, signature }: Waiting): boolean {
  try {
    return verify("sha256", bytes, key, signature);
  } catch {
    return false;
  }
}

function verifyInPool(key: KeyObject, bytes: Uint8Array, signature: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    verify("sha256", bytes, key, signature, (error, valid) => resolve(error === null && valid));
  });
}
