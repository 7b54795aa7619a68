import { resultOf, saysUnknownMethod } from "../../response/read-response.ts";
import { call, type Call } from "../../session/context.ts";
import type { Peer } from "../environment.ts";
import { mailNames } from "../mailbox.ts";
import { operatorMethod } from "../operator-method.ts";
import { NotPossible, type ScenarioRun } from "../scenario-run.ts";
import type { StepOf } from "./step-of.ts";

type PeerCallStep = StepOf<"operatorCall"> | StepOf<"callerCall">;

/** Calls a method of the operator's interface, or of the documented one as its caller. */
export async function runPeerCall(step: PeerCallStep, run: ScenarioRun): Promise<void> {
  const { context, identity } = peerOf(step, run);
  const method = operatorMethod(step.method, step.flat === true);
  const results: unknown[] = [];
  run.mailsBefore = mailNames(run.environment.mailFolder);
  for (let time = 0; time < (step.times ?? 1); time += 1) {
    run.values.set("time", time + 1);
    const made = await call(context, method, { payload: step.payload }, { lookup: run.lookup, identity });
    run.exchanges.push(made.exchange);
    const result = resultOf(made.answer, method);
    checkSuccess(step, result, made, run);
    run.expect(step, result);
    results.push(result);
  }
  run.keep(step.as, step.times === undefined ? results[0] : results);
}

function peerOf({ kind }: PeerCallStep, { environment }: ScenarioRun): Peer {
  const peer = kind === "operatorCall" ? environment.operator : environment.caller;
  if (peer !== undefined) return peer;
  throw new NotPossible(
    kind === "operatorCall"
      ? "needs operator access, which the access file does not give"
      : "needs the documented interface and a caller of it, which the access file does not give",
  );
}

/** @throws NotPossible, StepFailed, BeyondLevel */
function checkSuccess(step: PeerCallStep, result: unknown, { answer }: Call, run: ScenarioRun): void {
  const whose = step.kind === "operatorCall" ? "the operator's" : "the caller's";
  const found = answer.text.slice(0, 300);
  if (result === undefined && step.error === undefined) {
    if (saysUnknownMethod(answer))
      throw new NotPossible(`needs ${whose} ${step.method}, which the service does not have`);
    run.fail(step, { expected: `${whose} ${step.method} to succeed`, found });
  }
  if (step.error !== undefined && answer.error?.code !== step.error)
    run.fail(step, { expected: `${whose} ${step.method} to be refused with ${step.error}`, found });
}
