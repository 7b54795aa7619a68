import { setTimeout as sleep } from "node:timers/promises";

/**
 * Waits until a condition holds: the one way in which tests wait for what no event announces. It has no deadline of its
 * own, so a slow machine changes no verdict. A condition that never holds ends with the timeout of the test.
 */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  // oxlint-disable-next-line tests/no-fixed-waits -- the one place that looks again
  while (!(await holds())) await sleep(lookEveryMs);
}

const lookEveryMs = 5;

/**
 * For what must be given a time: as long as a test may take (vitest.config.ts). Only what hangs gets there, and no test
 * measures anything by it.
 */
export const patienceMs = 600_000;
