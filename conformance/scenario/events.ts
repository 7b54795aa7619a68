import { setTimeout as sleep } from "node:timers/promises";
import { omitUndefined } from "../base/omit-undefined.ts";
import { formatValue } from "../response/finding.ts";
import { mismatches } from "../response/match.ts";
import { memberOf, parsedJson } from "../values/index.ts";
import { addressFindings, notificationFindings } from "./notification.ts";
import type { OpenInbox, ScenarioRun, StepOf } from "./scenario-run.ts";

type EventStep = StepOf<"event">;

/** Waits for an event that fits, and checks its notification. @throws StepFailed, BeyondLevel */
export async function runEvent(step: EventStep, run: ScenarioRun): Promise<void> {
  const { name, expect, withinSeconds = 0 } = step;
  const timeoutMs = Math.max(withinSeconds * 1000, run.environment.eventTimeoutMs);
  const open = run.inboxOf(step.at);
  const wanted = omitUndefined({ eventName: name, ...Object(expect ?? {}) });
  const pattern = Object.keys(wanted).length === 0 ? undefined : run.resolve(wanted);
  let leftMs = timeoutMs;
  while (leftMs > 0) {
    const count = open.inbox.arrivals.length;
    if (await takesArrival(step, pattern, open, run)) return;
    leftMs = await open.inbox.next(count, leftMs);
  }
  if (await takesArrival(step, pattern, open, run)) return;
  const [stray] = run.environment.receiver?.strays ?? [];
  if (stray !== undefined) run.failBy(addressFindings(stray, open.inbox.target));
  const arrived = open.inbox.arrivals.map(({ body }) => body.toString("utf8"));
  run.fail(step, {
    expected: `an event${pattern === undefined ? "" : ` like ${formatValue(pattern)}`} within ${timeoutMs / 1000} s`,
    found: arrived.length === 0 ? "none" : arrived.join("\n").slice(0, 600),
  });
}

/** Whether an arrival fits that no earlier step has taken. @throws StepFailed where its notification is wrong */
async function takesArrival(
  { as, secret }: EventStep,
  pattern: unknown,
  { inbox, taken }: OpenInbox,
  run: ScenarioRun,
): Promise<boolean> {
  const { context } = run.environment;
  for (const [index, arrival] of inbox.arrivals.entries()) {
    if (taken.has(index)) continue;
    const body = parsedJson(arrival.body.toString("utf8"));
    if (pattern !== undefined && mismatches(pattern, body).length > 0) continue;
    taken.add(index);
    run.failBy(
      notificationFindings(arrival, {
        suite: context.suite,
        target: inbox.target,
        reading: context.response,
        keys: await run.environment.publicKeys(),
        earlier: inbox.arrivals.slice(0, index),
        secret: secret === undefined ? undefined : String(run.resolve(secret)),
      }),
    );
    run.keep(as, body);
    if (as !== undefined) {
      run.keep(`${as}Headers`, arrival.headers);
    }
    return true;
  }
  return false;
}

const quietMs = 400;

/** Asserts that within 400 ms no further event arrives. @throws StepFailed, BeyondLevel */
export async function runNoEvent(step: StepOf<"noEvent">, run: ScenarioRun): Promise<void> {
  const { inbox, taken } = run.inboxOf(step.at);
  await sleep(quietMs);
  const text = step.holds === undefined ? "" : String(run.resolve(step.holds));
  const [first] = inbox.arrivals
    .filter(({ body }, index) => !taken.has(index) && body.toString("utf8").includes(text))
    .map(({ body }) => parsedJson(body.toString("utf8")))
    .filter((body) => step.name === undefined || memberOf(body, "eventName") === step.name);
  if (first !== undefined) run.fail(step, { expected: "no further event", found: formatValue(first) });
}
