import type { Clock } from "../../store/ports/index.ts";

/**
 * Resolves as soon as the work has ended, either way, or is late. The answer to a commit may be lost on its way and
 * be missed only after many seconds.
 */
export async function endedOrLate(
  work: Promise<unknown>,
  clock: Clock,
  lateAfterMs: number,
): Promise<"ended" | "late"> {
  const late = Promise.withResolvers<"late">();
  const cancel = clock.schedule(lateAfterMs, () => late.resolve("late"));
  const ended = work.then(
    () => "ended" as const,
    () => "ended" as const,
  );
  const outcome = await Promise.race([ended, late.promise]);
  cancel();
  return outcome;
}

/** A commit of results or events that is not answered by then is taken for lost: what follows does not wait for it. */
export const answerMsMax = 2_000;
