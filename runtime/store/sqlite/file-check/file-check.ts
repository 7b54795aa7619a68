import { startWorker } from "../../../contract/worker.ts";

/** The check of a file that is too large to be checked before the store opens. */
export interface FileCheck {
  /** Whether readiness still waits for the outcome. */
  readonly isAwaited: boolean;
  close(): Promise<void>;
}

/** Above this a check takes minutes and much of the disk: `ledger-server verify` is for those, at a quiet hour. */
export const checkedBytesMax = 8 * 1024 ** 3;
/** Readiness waits for the check, but not longer than this. */
const awaitedMs = 10_000;

/** For the compiler, which strips the thread's types, and a connection. */
const heapLimits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 };

/** Checks the file beside the service. `onDamage` is called with the first thing that is wrong. */
export function startFileCheck(file: string, onDamage: (damage: string) => void): FileCheck {
  const beganAtMs = performance.now();
  let isRunning = true;
  const thread = startWorker<string, string | undefined, undefined>(
    new URL("file-check-thread.ts", import.meta.url),
    { data: undefined, limits: heapLimits, isInBackground: true },
  );
  void check();
  return {
    get isAwaited() {
      return isRunning && performance.now() - beganAtMs < awaitedMs;
    },
    close: thread.end,
  };

  async function check(): Promise<void> {
    try {
      const damage = await thread.ask(file);
      if (damage !== undefined) onDamage(damage);
    } catch {
      // A check that could not be made says nothing of the file: the next use reports the fault.
    }
    isRunning = false;
    await thread.end();
  }
}
