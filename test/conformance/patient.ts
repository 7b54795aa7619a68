// oxlint-disable-next-line tests/no-fixed-waits -- the one place that gives the run its patience
import { conform as run, type RunOptions, type RunReport } from "../../conformance/index.ts";
import { patienceMs } from "../until.ts";

/**
 * A run as a test makes it. It waits for each response and event as long as the test may take: with the limits that
 * users have, a busy machine would fail a sound service.
 */
export async function conform(options: RunOptions): Promise<RunReport> {
  return await run({ timeoutMs: patienceMs, eventTimeoutMs: patienceMs, ...options });
}
