import { protocolOf } from "../../protocols/index.ts";
import { omitUndefined } from "../../base/omit-undefined.ts";
import { escaped } from "../../values/index.ts";
import { plannedPayload } from "../../request/edits.ts";
import { call, send } from "../../session/context.ts";
import { requiredLacking, usesLacking } from "../../session/capabilities.ts";
import type { Lookup } from "../../request/resolve-value.ts";
import { referredObjects } from "../objects.ts";
import type { RequestPlan } from "../../suite/case.ts";
import type { MethodEntry } from "../../suite/suite.ts";
import type { Unused } from "../unused.ts";
import { mailNames } from "../mailbox.ts";
import { BeyondLevel, type ScenarioRun } from "../scenario-run.ts";
import { baseOf } from "./base-of.ts";
import type { StepOf } from "./step-of.ts";

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
  const { identity = context.access, id = context.newId(method) } = optionsOf(step, run);
  const lookup = await lookupOf(step, method, run);
  const { path, revision } = context.suite;
  const { rpc } = context;
  const building = omitUndefined({ path, revision, identity, lookup, id, method, rpc });
  const wire = protocolOf(method).build(planOf(step, method), building);
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
