import { setTimeout as sleep } from "node:timers/promises";
import { type Lookup, MissingValue, namesIn } from "../request/resolve-value.ts";
import { newKeyPair } from "../request/sign.ts";
import { formatValue } from "../response/finding.ts";
import { mismatches } from "../response/match.ts";
import { CallFailed, type RunContext, send } from "../session/context.ts";
import { interrupted, missingReason, noAnswer, skipped, verdict, type Verdict } from "../session/outcome.ts";
import type { Step } from "../suite/step.ts";
import type { Scenario } from "../suite/suite.ts";
import { runCall, runPeerCall } from "./calls.ts";
import type { Environment } from "./environment.ts";
import { runEvent, runNoEvent } from "./events.ts";
import { runMail } from "./mails.ts";
import { BeyondLevel, NotPossible, ScenarioRun, StepFailed, type StepOf } from "./scenario-run.ts";

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
      await runStep(step, run);
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

/** Runs one step. @throws StepFailed, BeyondLevel, NotPossible, MissingValue, CallFailed */
async function runStep(step: Step, run: ScenarioRun): Promise<void> {
  switch (step.kind) {
    case "call":
      return await runCall(step, run);
    case "operatorCall":
    case "callerCall":
      return await runPeerCall(step, run);
    case "repeat":
      return await runRepeat(step, run);
    case "key":
      return runKey(step, run);
    case "caller":
      return runCaller(step, run);
    case "receiver":
      return await runReceiver(step, run);
    case "event":
      return await unlessInterrupted(runEvent(step, run), run);
    case "noEvent":
      return await unlessInterrupted(runNoEvent(step, run), run);
    case "wait":
      return await unlessInterrupted(runWait(step), run);
    case "rest":
      return await unlessInterrupted(runRest(run.environment), run);
    case "mail":
      return await unlessInterrupted(runMail(step, run), run);
    case "check":
      return runCheck(step, run);
    case "each":
      return await runEach(step, run);
    case "atOnce":
      return await runAtOnce(step.steps.map((each) => () => runStep(each, run)));
    default:
      throw unknownStep(step);
  }
}

/** What a step waits for, until the run is interrupted. */
async function unlessInterrupted(waiting: Promise<void>, { environment }: ScenarioRun): Promise<void> {
  const { signal } = environment;
  if (signal === undefined) return await waiting;
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(new NotPossible(interrupted));
  signal.addEventListener("abort", stop, { once: true });
  try {
    await Promise.race([waiting, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** The compiler refuses a kind that no case handles; at run time a newer suite may have one. */
function unknownStep(step: never): Error {
  return new Error(
    `this version does not know the step ${JSON.stringify(step)}: install the suite's version`,
  );
}

/** Runs steps at the same time and waits for all of them. Throws what the first in the list threw. */
export async function runAtOnce(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const running = steps.map((run) => run());
  await Promise.allSettled(running);
  for (const step of running) await step;
}

/** Names a caller, whom `signer` of a call then takes. */
function runCaller(step: StepOf<"caller">, run: ScenarioRun): void {
  const identity = {
    userName: String(run.resolve(step.userName)),
    apiKey: String(run.resolve(step.apiKey)),
    keyId: String(run.resolve(step.keyId)),
    privateKeyPem: String(run.resolve(`{{${step.key}.privateKeyPem}}`)),
  };
  run.identities.set(step.as, identity);
  run.keep(step.as, identity);
}

/** Compares values of earlier steps with patterns, where that counts. @throws StepFailed */
function runCheck(step: StepOf<"check">, run: ScenarioRun): void {
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

/** Runs steps for each value of a list or of an enum. */
async function runEach({ name, in: values, of, steps }: StepOf<"each">, run: ScenarioRun): Promise<void> {
  for (const value of listOf(values, run) ?? enumValues(of ?? "", run.environment.context)) {
    run.values.set(name, run.resolve(value));
    await runSteps(steps, run);
  }
}

function listOf(values: StepOf<"each">["in"], run: ScenarioRun): readonly unknown[] | undefined {
  if (values === undefined || Array.isArray(values)) return values;
  const made = run.resolve(values);
  return Array.isArray(made) ? made : [];
}

function enumValues(type: string, { suite, response }: RunContext): readonly (string | number)[] {
  const shape = suite.types[type];
  const resolved = shape === undefined ? undefined : response.resolve(shape);
  return resolved?.kind === "enum" ? resolved.values.map(({ value }) => value) : [];
}

/** Makes a key pair: `privateKeyPem` and `publicKeyPem`. */
function runKey({ as }: StepOf<"key">, run: ScenarioRun): void {
  run.keep(as, newKeyPair());
}

/** Opens an address for events. @throws NotPossible */
async function runReceiver({ as, refuses }: StepOf<"receiver">, run: ScenarioRun): Promise<void> {
  const { receiver } = run.environment;
  if (receiver === undefined)
    throw new NotPossible("needs an address that the service can send events to: see --callback-url");
  const inbox = await receiver.open(refuses);
  run.inboxes.set(as, { inbox, taken: new Set() });
  run.keep(as, { url: inbox.url });
}

/** Sends an earlier call again, byte for byte. */
async function runRepeat(step: StepOf<"repeat">, run: ScenarioRun): Promise<void> {
  const earlier = run.sent.get(step.call);
  if (earlier === undefined) throw new Error(`scenario ${run.scenario.name} has no call ${step.call}`);
  const { context } = run.environment;
  const made = await send(context, earlier.wire, context.access);
  run.keep(step.as, run.checked(step, earlier.method, made));
}

/** In seconds: the rest of a short run is over too soon to show anything. */
const restSecondsMin = 5;

/** Lets seconds pass. */
async function runWait({ seconds }: StepOf<"wait">): Promise<void> {
  await sleep(seconds * 1000);
}

/** Waits until everything else of the run is done, and for at least some seconds. */
async function runRest({ rest }: Environment): Promise<void> {
  await Promise.all([rest.promise, sleep(restSecondsMin * 1000)]);
}
