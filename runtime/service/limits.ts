import type { ServiceLimits } from "./options.ts";

/** Every limit of a service, but for those of its messages. */
export type CheckedLimits = Required<Omit<ServiceLimits, "messageBytes" | "depth">>;

/** Longer timers end at once. */
const timerMsMax = 2 ** 31 - 1;

/** @throws RangeError where a limit makes no sense. */
export function checkLimits(chosen: ServiceLimits = {}): CheckedLimits {
  const { callsAtOnce = 128, callsQueued = 1024, timeoutMs = 30_000 } = chosen;
  const { batchAnswersBytes = 64 * 1024 * 1024 } = chosen;
  atLeast("callsAtOnce", callsAtOnce, 1);
  atLeast("callsQueued", callsQueued, 0);
  atLeast("timeoutMs", timeoutMs, 1);
  atLeast("batchAnswersBytes", batchAnswersBytes, 1);
  if (timeoutMs > timerMsMax)
    throw new RangeError(`limits.timeoutMs is ${timeoutMs}: give at most ${timerMsMax}`);
  return { callsAtOnce, callsQueued, timeoutMs, batchAnswersBytes };
}

function atLeast(name: string, value: number, least: number): void {
  if (!(value >= least)) throw new RangeError(`limits.${name} is ${value}: give at least ${least}`);
}
