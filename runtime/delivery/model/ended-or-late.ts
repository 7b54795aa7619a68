import type { Clock } from "../../ports/index.ts";

/** A transaction takes a few milliseconds. One that takes longer may never be answered: others do not wait for it. */
const lateAfterMs = 250;

/** Says whether the work has ended or is late, as soon as one of them holds. `work` never rejects. */
export async function endedOrLate(work: Promise<void>, clock: Clock): Promise<"ended" | "late"> {
  const late = Promise.withResolvers<"late">();
  const cancel = clock.schedule(lateAfterMs, () => late.resolve("late"));
  const outcome = await Promise.race([work.then(() => "ended" as const), late.promise]);
  cancel();
  return outcome;
}
