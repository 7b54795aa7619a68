import { contactId, type Outcome } from "../run/outcome.ts";
import type { RunReport } from "../run/run.ts";

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly broken: number;
}

export function countsOf(outcomes: readonly Outcome[]): Counts {
  const of = (status: Outcome["status"]): number =>
    outcomes.reduce((count, outcome) => count + (outcome.status === status ? 1 : 0), 0);
  return { passed: of("passed"), failed: of("failed"), skipped: of("skipped"), broken: of("broken") };
}

/** The outcomes of each operation, in the order of the suite. */
export function byMethod({ outcomes }: RunReport): ReadonlyMap<string, readonly Outcome[]> {
  return Map.groupBy(outcomes, ({ method }) => method);
}

/** Why cases were skipped or broken, and how many. */
export function reasonsOf(
  outcomes: readonly Outcome[],
  status: "skipped" | "broken",
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const outcome of outcomes) {
    if (outcome.status !== status) continue;
    const reason = outcome.reason ?? "no reason given";
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return counts;
}

/** Whether the first requests told that nothing could be tried. */
export function wasHopeless({ outcomes }: RunReport): boolean {
  return outcomes.some(({ id }) => id === contactId);
}
