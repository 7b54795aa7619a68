import type { Step } from "../../suite/step.ts";
import { interrupted } from "../../session/outcome.ts";
import { NotPossible, type ScenarioRun } from "../scenario-run.ts";
import { runAtOnce } from "./at-once.ts";
import { runCall } from "./call.ts";
import { runCaller } from "./caller.ts";
import { runCheck } from "./check.ts";
import { runEach } from "./each.ts";
import { runEvent } from "./event.ts";
import { runKey } from "./key.ts";
import { runMail } from "./mail.ts";
import { runNoEvent } from "./no-event.ts";
import { runPeerCall } from "./peer-call.ts";
import { runReceiver } from "./receiver.ts";
import { runRepeat } from "./repeat.ts";
import { runRest, runWait } from "./wait.ts";

/** Runs one step. @throws StepFailed, BeyondLevel, NotPossible, MissingValue, CallFailed */
export async function runStep(
  step: Step,
  run: ScenarioRun,
  runSteps: (steps: readonly Step[], run: ScenarioRun) => Promise<void>,
): Promise<void> {
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
      return await runEach(step, run, runSteps);
    case "atOnce":
      return await runAtOnce(step.steps.map((each) => () => runStep(each, run, runSteps)));
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
