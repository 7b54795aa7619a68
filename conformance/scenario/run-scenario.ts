import { MissingValue, type Lookup } from "../request/resolve-value.ts";
import { CallFailed } from "../session/context.ts";
import { missingReason } from "../session/missing-reason.ts";
import { interrupted } from "../session/outcome.ts";
import { noAnswer, skipped, verdict, type Verdict } from "../session/verdict.ts";
import type { Scenario, Step } from "../suite/suite.ts";
import type { Environment } from "./environment.ts";
import { BeyondLevel, NotPossible, ScenarioRun, StepFailed } from "./scenario-run.ts";
import { runStep } from "./steps/run-step.ts";

/** Number of exchanges that a failure shows. */
const exchangesShown = 5;

/**
 * Runs the steps of a scenario until one of them fails. If a step below the run's level fails, the remaining steps of
 * its block are skipped: those of one value of an `each`, or all. Where that leaves nothing that held the service to
 * anything, the scenario is skipped.
 */
export async function runScenario(
  scenario: Scenario,
  environment: Environment,
  lookup?: Lookup,
): Promise<Verdict> {
  const run = new ScenarioRun(scenario, environment, lookup);
  const { level, suite } = environment.context;
  try {
    await runSteps(scenario.steps, run);
  } catch (error) {
    if (error instanceof StepFailed)
      return verdict(error.findings, level, run.exchanges.slice(-exchangesShown));
    if (error instanceof NotPossible) return skipped(error.message);
    if (error instanceof MissingValue) return skipped(missingReason(error, suite));
    if (error instanceof CallFailed) return noAnswer(error);
    throw error;
  }
  if (run.endedEarly && run.assertions === 0)
    return skipped(
      `a step did not succeed that does not count at level ${level}, and nothing before it does`,
    );
  return verdict([], level, []);
}

/** Values by name that steps produce; undefined where they cannot be carried out. */
export async function valuesOf(
  steps: readonly Step[],
  gives: Readonly<Record<string, string>>,
  environment: Environment,
  lookup: Lookup,
): Promise<readonly (readonly [string, unknown])[] | undefined> {
  const run = new ScenarioRun(stepsAlone(steps), environment, lookup);
  try {
    await runSteps(steps, run);
    return Object.entries(gives).map(([name, value]) => [name, run.resolve(value)]);
  } catch (error) {
    if (error instanceof StepFailed || error instanceof NotPossible || error instanceof MissingValue)
      return undefined;
    if (error instanceof CallFailed) return undefined;
    throw error;
  }
}

/** Steps that prepare for others, as a scenario of their own. */
export function stepsAlone(steps: readonly Step[]): Scenario {
  return { name: "fixtures", doc: "", level: "document", about: [], alone: false, decisions: [], steps };
}

/** @throws StepFailed, NotPossible, MissingValue, CallFailed */
export async function runSteps(steps: readonly Step[], run: ScenarioRun): Promise<void> {
  const { signal } = run.environment;
  for (const step of steps) {
    if (signal?.aborted === true) throw new NotPossible(interrupted);
    try {
      await runStep(step, run, runSteps);
      if (asserting.has(step.kind) && run.counts(run.levelOf(step))) run.assertions += 1;
    } catch (error) {
      const isBeyond =
        error instanceof BeyondLevel || (error instanceof NotPossible && !run.counts(run.levelOf(step)));
      if (!isBeyond) throw error;
      run.endedEarly = true;
      return;
    }
  }
}

/** Steps that hold the service under test to something; the others prepare. */
const asserting: ReadonlySet<Step["kind"]> = new Set<Step["kind"]>([
  "call",
  "repeat",
  "event",
  "noEvent",
  "mail",
  "check",
  "atOnce",
]);
