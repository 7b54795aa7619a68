import { send } from "../../session/context.ts";
import type { ScenarioRun } from "../scenario-run.ts";
import type { StepOf } from "./step-of.ts";

/** Sends an earlier call again, byte for byte. */
export async function runRepeat(step: StepOf<"repeat">, run: ScenarioRun): Promise<void> {
  const earlier = run.sent.get(step.call);
  if (earlier === undefined) throw new Error(`scenario ${run.scenario.name} has no call ${step.call}`);
  const { context } = run.environment;
  const made = await send(context, earlier.wire, context.access);
  run.keep(step.as, run.checked(step, earlier.method, made));
}
