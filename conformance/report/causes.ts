import type { Outcome } from "../session/outcome.ts";

/** Failures that expected the same: most often they have one cause. */
export interface Cause {
  /** The expectation of the first of them. */
  readonly expected: string;
  readonly outcomes: readonly Outcome[];
}

/** Failures by what they expected first, whatever the identifiers and numbers in it; the most frequent first. */
export function causesOf(failures: readonly Outcome[]): readonly Cause[] {
  const groups = Map.groupBy(
    failures,
    ({ findings: [first] }) => `${first?.check} ${first?.expected.replaceAll(/"[^"]*"|\d+/g, "…")}`,
  );
  return [...groups.values()]
    .map((outcomes) => ({ expected: outcomes[0]?.findings[0]?.expected ?? "", outcomes }))
    .toSorted((a, b) => b.outcomes.length - a.outcomes.length);
}
