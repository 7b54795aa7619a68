import { namesIn } from "../../request/resolve-value.ts";
import { formatValue } from "../../response/finding.ts";
import { mismatches } from "../../response/match.ts";
import type { ScenarioRun } from "../scenario-run.ts";
import type { StepOf } from "./step-of.ts";

/** Compares values of earlier steps with patterns, where that counts. @throws StepFailed */
export function runCheck(step: StepOf<"check">, run: ScenarioRun): void {
  if (!run.counts(run.levelOf(step))) return;
  for (const { actual, expected } of step.checks) {
    const wrong = mismatches(run.resolve(expected), run.resolve(actual));
    if (wrong.length === 0) continue;
    const about = namesIn(actual).join(", ");
    run.fail(
      step,
      ...wrong.map((each) => ({
        expected: `${about}${each.at} to be ${each.expected}`,
        found: formatValue(each.found),
      })),
    );
  }
}
