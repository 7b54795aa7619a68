import { contactId, interrupted, type Outcome } from "../session/outcome.ts";
import type { RunReport } from "../runner/run.ts";
import { resultsId } from "../session/seen-results.ts";

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

/** Everything that was run, what belongs to no requirement too. */
export function allOutcomes({ outcomes, unscored }: RunReport): readonly Outcome[] {
  return [...outcomes, ...unscored];
}

/** Inputs of the verdict on a service. */
export interface RunVerdict {
  readonly kind: "conforms" | "fails" | "untried";
  /** Why, in words, where it does not conform. */
  readonly reasons: readonly string[];
}

/**
 * The verdict of a run: `untried` where no case came out either way, or the run was interrupted. Cases without a
 * requirement and operations without a counted case make it fail, too, so a run that omits an operation cannot pass.
 */
export function verdictOn(report: RunReport): RunVerdict {
  const all = countsOf(allOutcomes(report));
  if (allOutcomes(report).some(({ reason }) => reason === interrupted))
    return { kind: "untried", reasons: [interrupted, ...(all.failed === 0 ? [] : [`${all.failed} failed`])] };
  if (wasHopeless(report) || all.passed + all.failed + all.broken === 0)
    return { kind: "untried", reasons: ["no case was tried"] };
  const own = countsOf(report.outcomes);
  const later = countsOf(report.unscored);
  const reasons = [
    ...(own.failed === 0 ? [] : [`${own.failed} failed`]),
    ...(own.broken + later.broken === 0 ? [] : [`${own.broken + later.broken} broken`]),
    ...(later.failed === 0 ? [] : [`${later.failed} failed that belong to no requirement yet`]),
    ...(report.uncounted.length === 0 ? [] : [`no case counts for ${report.uncounted.join(", ")}`]),
  ];
  return { kind: reasons.length === 0 ? "conforms" : "fails", reasons };
}

/** The operations that answered every call with an error: no result of them was checked. */
export function withoutResults({ outcomes }: RunReport): readonly string[] {
  return outcomes.filter(({ id, method }) => id === resultsId(method)).map(({ method }) => method);
}

/** The outcomes of each operation, in the order of the suite. */
export function byMethod(report: RunReport): ReadonlyMap<string, readonly Outcome[]> {
  return Map.groupBy(allOutcomes(report), ({ method }) => method);
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

/** Whether the preflight ended the run. */
export function wasHopeless({ outcomes }: RunReport): boolean {
  return outcomes.some(({ id }) => id === contactId);
}

/** The commands of the requests that failures show. */
export function commandsOf(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.flatMap(({ exchanges }) => exchanges.map(({ curl }) => curl));
}
