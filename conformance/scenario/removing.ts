import { inParallel } from "../session/keyed-lock.ts";
import { CallFailed } from "../session/context.ts";
import type { MadeObject } from "../session/made-objects.ts";
import type { Step } from "../suite/suite.ts";
import type { Environment } from "./environment.ts";
import { tolerated, uninterrupted } from "./keeping.ts";
import { runSteps, stepsAlone } from "./run-scenario.ts";
import { ScenarioRun } from "./scenario-run.ts";

/**
 * Takes away what the run made, one kind after the other, the last one first: subscriptions go before accounts, whose
 * changes would be events. What the service refuses to remove stays. It is not asked again once it does not answer.
 */
export async function removeMade(environment: Environment, concurrency: number): Promise<void> {
  const { suite, made } = environment.context;
  for (const { removed = {} } of suite.resources.toReversed())
    for (const [operation, steps] of Object.entries(removed))
      await removeEach(made.by(operation), steps, environment, concurrency);
}

async function removeEach(
  objects: readonly MadeObject[],
  steps: readonly Step[],
  environment: Environment,
  concurrency: number,
): Promise<void> {
  let isAnswering = true;
  await inParallel(objects, concurrency, async ({ result }) => {
    if (!isAnswering) return;
    const run = new ScenarioRun(stepsAlone(steps), uninterrupted(environment));
    run.values.set("made", result);
    const failure = await tolerated(() => runSteps(steps, run));
    if (failure instanceof CallFailed) isAnswering = false;
  });
}
