import { plannedPayload } from "../suite/methods.ts";
import { type Lookup, MissingValue } from "../request/resolve-value.ts";
import { CallFailed, type RunContext } from "../session/context.ts";
import { inParallel } from "../session/order.ts";
import type { MadeObject } from "../session/seen.ts";
import type { Step } from "../suite/step.ts";
import type { MethodEntry, ResourceEntry, Scenario } from "../suite/suite.ts";
import { planOf } from "./calls.ts";
import type { Environment } from "./environment.ts";
import { isAbout, resourcesIn, restoreState, stateFields } from "./objects.ts";
import { runSteps, stepsAlone, valuesOf } from "./run-scenario.ts";
import { NotPossible, ScenarioRun, StepFailed } from "./scenario-run.ts";

/** Notes how objects of the access file are, and makes them usable, before the first request that changes or needs them. */
export async function note(resources: readonly ResourceEntry[], environment: Environment): Promise<void> {
  const { context, noted } = environment;
  for (const { name, kept, samples } of resources) {
    if (kept !== undefined && isGiven(samples, context) && !noted.has(name))
      noted.set(name, valuesBefore(kept.before, environment));
  }
  await Promise.all(resources.map(({ name }) => noted.get(name)));
}

/**
 * Puts back those of the resources that were noted, also after the run was interrupted. What cannot be put back stays: it
 * says nothing about the service.
 */
export async function restore(resources: readonly ResourceEntry[], running: Environment): Promise<void> {
  const environment = uninterrupted(running);
  const { noted } = environment;
  for (const { name, kept } of resources) {
    const lookup = await noted.get(name);
    noted.delete(name);
    if (lookup === undefined || kept === undefined) continue;
    const run = new ScenarioRun(stepsAlone(kept.after), environment, lookup);
    for (const step of kept.after) await tolerated(() => runSteps([step], run));
  }
}

/** Whether the access file names such an object. */
function isGiven(samples: readonly string[], { lookup }: RunContext): boolean {
  return samples.some((sample) => lookup(sample) !== undefined);
}

async function valuesBefore(before: readonly Step[], environment: Environment): Promise<Lookup> {
  const run = new ScenarioRun(stepsAlone(before), uninterrupted(environment));
  await tolerated(() => runSteps(before, run));
  return run.lookup;
}

/** For steps that come to their end whatever happens to the run: half of them would leave a change behind. */
function uninterrupted(environment: Environment): Environment {
  return { ...environment, signal: undefined };
}

/** Does what the service may refuse; gives why it did not come to its end, if it did not. */
async function tolerated(work: () => Promise<void>): Promise<Error | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof StepFailed || error instanceof NotPossible) return error;
    if (error instanceof MissingValue || error instanceof CallFailed) return error;
    throw error;
  }
}

/** The resources that a call changes, and those that it needs in a state of theirs. */
export function touchedBy(
  method: MethodEntry,
  payload: unknown,
  { context }: Environment,
): { readonly changed: readonly ResourceEntry[]; readonly needed: readonly ResourceEntry[] } {
  const named = method.effect === "read" ? [] : resourcesIn(context, payload);
  return {
    changed: named.filter((resource) => isAbout(method, resource)),
    needed: named.filter(
      (resource) =>
        !isAbout(method, resource) &&
        context.suite.methods.some(
          (each) => isAbout(each, resource) && stateFields(each, context.suite).length > 0,
        ),
    ),
  };
}

/** Where the spec does not say how to put one back, it gets at least the state in which others can use it. */
async function restoreFirstState(
  resource: ResourceEntry,
  { context }: Environment,
  lookup: Lookup,
): Promise<void> {
  if (resource.kept !== undefined || resource.created !== undefined) return;
  for (const method of context.suite.methods.filter((each) => isAbout(each, resource)))
    await tolerated(async () => void (await restoreState(method, context, context.access, lookup)));
}

/** What the calls of a scenario change and need of the access file. */
function touchedByScenario(steps: readonly Step[], environment: Environment) {
  const found = steps.flatMap((step): readonly ReturnType<typeof touchedBy>[] => {
    if ("steps" in step) return [touchedByScenario(step.steps, environment)];
    if (step.kind !== "call") return [];
    const method = environment.context.methodOf(step.method);
    return [touchedBy(method, plannedPayload(planOf(step, method), method), environment)];
  });
  return {
    changed: [...new Set(found.flatMap(({ changed }) => changed))],
    needed: [...new Set(found.flatMap(({ needed }) => needed))],
  };
}

/**
 * Runs a scenario on the access file's objects, which it puts back where it did not come to its end. Those that nothing
 * can put back are replaced: the operator makes others.
 */
export async function keeping<T extends { readonly status: string }>(
  { steps }: Scenario,
  environment: Environment,
  run: (lookup: Lookup) => Promise<T>,
): Promise<T> {
  const { context, operator } = environment;
  const { changed, needed } = touchedByScenario(steps, environment);
  await note([...changed, ...needed], environment);
  const own = new Map<string, unknown>();
  const lookup: Lookup = (name) => own.get(name) ?? context.lookup(name);
  for (const { made, kept, samples } of changed) {
    if (operator === undefined || made === undefined || kept !== undefined) continue;
    if (!isGiven(samples, context)) continue;
    for (const [name, value] of (await valuesOf(made.steps, made.gives, environment, lookup)) ?? [])
      own.set(name, value);
  }
  let status: string | undefined;
  try {
    const verdict = await run(lookup);
    ({ status } = verdict);
    return verdict;
  } finally {
    if (status !== "passed") {
      await restore(changed, environment);
      for (const resource of changed) await restoreFirstState(resource, environment, lookup);
    }
  }
}

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
    const run = new ScenarioRun(stepsAlone(steps), uninterrupted(environment));
    run.values.set("made", result);
    for (const step of steps)
      if (isAnswering) isAnswering = !((await tolerated(() => runSteps([step], run))) instanceof CallFailed);
  });
}
