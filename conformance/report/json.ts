import type { RunReport } from "../runner/run.ts";
import { allOutcomes, countsOf, verdictOn } from "./summary.ts";

/** A report as JSON: how many came out how, and everything else of it. `format` changes where a reader has to. */
export function jsonReport(report: RunReport): string {
  return JSON.stringify(
    { format: 1, verdict: verdictOn(report), counts: countsOf(allOutcomes(report)), ...report },
    null,
    2,
  );
}
