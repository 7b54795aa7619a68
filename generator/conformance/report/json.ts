import type { RunReport } from "../run/run.ts";
import { countsOf } from "./summary.ts";

/** A report as JSON: how many came out how, and everything else of it. `format` changes where a reader has to. */
export function jsonReport(report: RunReport): string {
  return JSON.stringify({ format: 1, counts: countsOf(report.outcomes), ...report }, null, 2);
}
