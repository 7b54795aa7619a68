import { omitUndefined } from "../base/omit-undefined.ts";
import type { Lookup } from "../request/resolve-value.ts";
import { resultOf, saysUnknownMethod } from "../response/read-response.ts";
import { requiredLacking, usesLacking } from "../session/capabilities.ts";
import { built, call, type Call, send } from "../session/context.ts";
import type { RequestPlan } from "../suite/case.ts";
import { plannedPayload } from "../suite/methods.ts";
import type { MethodEntry } from "../suite/suite.ts";
import { escaped } from "../values/index.ts";
import type { Peer } from "./environment.ts";
import { mailNames } from "./mails.ts";
import { referredObjects } from "./objects.ts";
import { BeyondLevel, NotPossible, type ScenarioRun, type StepOf } from "./scenario-run.ts";
import type { Unused } from "./unused.ts";

type CallStep = StepOf<"call">;

/**
 * Calls a method, once, several times in sequence, or with copies of one request at once.
 *
 * @throws BeyondLevel where the call is about what the service lacks
 */
export async function runCall(step: CallStep, run: ScenarioRun): Promise<void> {
  if (step.copies !== undefined) {
    await sendCopies(step, step.copies, run);
    return;
  }
  const { context, mailFolder } = run.environment;
  const method = context.methodOf(step.method);
  if ([step.payload, step.with].some((each) => usesLacking(each, method, context.claims)))
    throw new BeyondLevel(method.name);
  const plan = planOf(step, method);
  const lookup = await lookupOf(step, method, run);
  const results: unknown[] = [];
  run.mailsBefore = mailNames(mailFolder);
  for (let time = 0; time < (step.times ?? 1); time += 1) {
    run.values.set("time", time + 1);
    const payload = run.resolve(plannedPayload(plan, method));
    if (requiredLacking(payload, method, context.claims) !== undefined) throw new BeyondLevel(method.name);
    const unused = unusedFor(step, method, run);
    if (unused !== undefined) {
      if (step.as !== undefined) run.sent.set(step.as, { wire: unused.wire, method });
      results.push(unused.result);
      continue;
    }
    const made = await call(context, method, plan, { ...optionsOf(step, run), lookup });
    if (step.as !== undefined) run.sent.set(step.as, { wire: made.wire, method });
    results.push(run.checked(step, method, made));
  }
  run.keep(step.as, step.times === undefined ? results[0] : results);
}

/** Where a step names no payload of its own, what its base only refers to is new. */
async function lookupOf(step: CallStep, method: MethodEntry, run: ScenarioRun): Promise<Lookup> {
  if (step.payload !== undefined) return run.lookup;
  return await referredObjects(
    method,
    plannedPayload(planOf(step, method), method),
    run.environment,
    run.lookup,
  );
}

/** An object that a case has made and left as it was, where the step only needs such a one. */
function unusedFor(step: CallStep, method: MethodEntry, run: ScenarioRun): Unused | undefined {
  if (!run.preparing.has(step)) return undefined;
  return run.environment.unused.take(method, run.resolve(method.bases[baseOf(step, method)]));
}

async function sendCopies(step: CallStep, copies: number, run: ScenarioRun): Promise<void> {
  const { context } = run.environment;
  const method = context.methodOf(step.method);
  const options = optionsOf(step, run);
  const lookup = await lookupOf(step, method, run);
  const wire = built(context, method, planOf(step, method), { ...options, lookup });
  const { identity = context.access } = options;
  const made = await Promise.all(Array.from({ length: copies }, () => send(context, wire, identity)));
  run.keep(
    step.as,
    made.map((each) => run.checked(step, method, each)),
  );
}

/** The request of a step, its placeholders not yet filled. */
export function planOf(step: CallStep, method: MethodEntry): RequestPlan {
  const written = step.text === undefined ? {} : { text: step.text };
  if (step.payload !== undefined) return { payload: step.payload, ...written };
  const edits = Object.entries(step.with ?? {}).map(
    ([name, value]) => ({ op: "set", at: `/${escaped(name)}`, value }) as const,
  );
  return { base: baseOf(step, method), edits, ...written };
}

function optionsOf({ signer, id }: CallStep, run: ScenarioRun) {
  const identity = signer === undefined ? undefined : run.identities.get(signer);
  if (signer !== undefined && identity === undefined)
    throw new Error(`scenario ${run.scenario.name} has no caller ${signer}`);
  return omitUndefined({
    identity,
    id: id === undefined ? undefined : String(run.resolve(id)),
  });
}

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

/** The base that a call without a payload is made from: the smallest, where it names none. */
export function baseOf(step: Pick<StepOf<"call">, "base">, { bases }: MethodEntry): string {
  return step.base ?? Object.keys(bases).find((name) => name.endsWith("minimal")) ?? "minimal";
}

/** An operation of the operator's interface: only its success is checked, not its result. */
export function operatorMethod(name: string, isFlat = false): MethodEntry {
  const nothing = { kind: "object", fields: [], atLeastOneOf: [], exactlyOneOf: [] } as const;
  return {
    name,
    decisions: [],
    effect: "set",
    transport: isFlat
      ? { kind: "flat", selectedBy: [] }
      : { kind: "enveloped", auth: ["credential", "keyId", "signature"], jsonrpc: true },
    payload: { kind: "single", shape: nothing },
    result: { kind: "json" },
    errors: [],
    bases: {},
  };
}
