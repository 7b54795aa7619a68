import { setTimeout as sleep } from "node:timers/promises";
import { memberOf } from "../../request/access.ts";
import { formatValue } from "../../response/finding.ts";
import type { ScenarioRun } from "../scenario-run.ts";
import { bodyOf } from "./event-body.ts";
import type { StepOf } from "./step-of.ts";

const quietMs = 400;

/** Asserts that within 400 ms no further event arrives. @throws StepFailed, BeyondLevel */
export async function runNoEvent(step: StepOf<"noEvent">, run: ScenarioRun): Promise<void> {
  const { inbox, taken } = run.inboxOf(step.at);
  await sleep(quietMs);
  const text = step.holds === undefined ? "" : String(run.resolve(step.holds));
  const [first] = inbox.arrivals
    .filter(({ body }, index) => !taken.has(index) && body.toString("utf8").includes(text))
    .map(({ body }) => bodyOf(body))
    .filter((body) => step.name === undefined || memberOf(body, "eventName") === step.name);
  if (first !== undefined) run.fail(step, { expected: "no further event", found: formatValue(first) });
}
