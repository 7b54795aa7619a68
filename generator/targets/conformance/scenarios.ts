import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import type { Scenario } from "../../../conformance/suite/suite.ts";
import type { ScenarioModel, ServiceModel } from "../../model/service-model.ts";
import type { Step } from "../../../conformance/suite/step.ts";

/** The sequences that the spec describes. */
export function scenariosOf(model: ServiceModel): readonly Scenario[] {
  return model.scenarios.map(scenarioOf);
}

function scenarioOf(scenario: ScenarioModel): Scenario {
  return omitUndefined({
    name: scenario.name,
    doc: scenario.doc,
    section: scenario.section,
    decisions: scenario.decisions,
    level: scenario.level ?? (scenario.decisions.length > 0 ? "decisions" : "document"),
    about: scenario.about,
    alone: scenario.alone,
    steps: stepsOf(scenario.steps),
  });
}

/** A step as the spec has it: the member that names an action says which step it is. */
interface WrittenStep {
  readonly call?: string;
  readonly operatorCall?: string;
  readonly callerCall?: string;
  readonly repeat?: string;
  readonly key?: string;
  readonly caller?: Omit<Extract<Step, { kind: "caller" }>, "kind" | "as" | "level"> & {
    readonly name: string;
  };
  readonly receiver?: string;
  readonly event?: Omit<Extract<Step, { kind: "event" }>, "kind" | "level">;
  readonly noEvent?: Omit<Extract<Step, { kind: "noEvent" }>, "kind" | "level">;
  readonly wait?: number | "rest";
  readonly mail?: Omit<Extract<Step, { kind: "mail" }>, "kind" | "as" | "level">;
  readonly check?: readonly WrittenCheck[];
  readonly each?: Omit<Extract<Step, { kind: "each" }>, "kind" | "steps" | "level"> & {
    readonly steps: readonly WrittenStep[];
  };
  readonly atOnce?: readonly WrittenStep[];
  readonly level?: NonNullable<Step["level"]>;
  readonly as?: string;
  readonly payload?: unknown;
  readonly with?: unknown;
  readonly refuses?: number;
  /** Former names, which earlier revisions of a spec have. */
  readonly operate?: string;
  readonly again?: string;
  readonly quiet?: Omit<Extract<Step, { kind: "noEvent" }>, "kind" | "level">;
}

interface WrittenCheck {
  readonly actual?: unknown;
  readonly expected?: unknown;
  readonly that?: unknown;
  readonly is?: unknown;
}

/** Steps of the spec, which its schema has checked, as the suite has them. */
export function stepsOf(steps: readonly unknown[]): readonly Step[] {
  const written: readonly WrittenStep[] = JSON.parse(JSON.stringify(steps));
  return written.map(stepOf);
}

function stepOf(written: WrittenStep): Step {
  const {
    call,
    operate,
    operatorCall = operate,
    callerCall,
    again,
    repeat = again,
    key,
    caller,
    receiver,
    event,
    quiet,
    noEvent = quiet,
    wait,
    mail,
    check,
    each,
    atOnce,
    ...rest
  } = written;
  const { level, as = "" } = rest;
  const common = level === undefined ? {} : { level };
  if (call !== undefined) return { kind: "call", method: call, ...rest };
  if (operatorCall !== undefined) return peerCall("operatorCall", operatorCall, rest);
  if (callerCall !== undefined) return peerCall("callerCall", callerCall, rest);
  if (repeat !== undefined) return { kind: "repeat", call: repeat, ...rest };
  if (key !== undefined) return { kind: "key", as: key, ...common };
  if (caller !== undefined) {
    const { name, ...identity } = caller;
    return { kind: "caller", as: name, ...identity, ...common };
  }
  if (receiver !== undefined) {
    const { refuses } = rest;
    return omitUndefined({ kind: "receiver", as: receiver, refuses, ...common });
  }
  if (event !== undefined) return { kind: "event", ...event, ...common };
  if (noEvent !== undefined) return { kind: "noEvent", ...noEvent, ...common };
  if (wait === "rest") return { kind: "rest", ...common };
  if (wait !== undefined) return { kind: "wait", seconds: wait, ...common };
  if (mail !== undefined)
    return { kind: "mail", ...mail, ...omitUndefined({ as: as === "" ? undefined : as }), ...common };
  if (check !== undefined) return { kind: "check", checks: check.map(checkOf), ...common };
  if (each !== undefined) return { kind: "each", ...each, steps: each.steps.map(stepOf), ...common };
  if (atOnce !== undefined) return { kind: "atOnce", steps: atOnce.map(stepOf), ...common };
  throw new Error("the spec's schema let a step without an action through");
}

function peerCall(
  kind: "operatorCall" | "callerCall",
  method: string,
  { payload, with: members = {}, ...rest }: Pick<WrittenStep, "payload" | "with">,
): Step {
  return { kind, method, payload: payload ?? members, ...rest };
}

function checkOf({ that, is, actual = that, expected = is }: WrittenCheck) {
  return { actual, expected };
}
