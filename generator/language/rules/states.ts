import { closest } from "../../../conformance/base/closest.ts";
import { resolveShape } from "../references/reach.ts";
import type { Name, StateMachineSpec, TransitionSpec } from "../spec.ts";
import type { RuleContext } from "./context.ts";
import { checkMethodName, checkType } from "./references.ts";

/** State machines go from value to value of their enum, by methods that exist and change something. */
export function checkStates(context: RuleContext): void {
  for (const machine of context.spec.states) {
    const states = statesOf(machine, context);
    for (const transition of machine.transitions) {
      if (transition.by !== undefined) checkTrigger(transition.by, context);
      if (states === undefined) continue;
      checkState(transition.from, states, ["any", "none"], context);
      checkState(transition.to, states, ["requested"], context);
    }
    checkRepeated(machine.transitions, context);
    if (states !== undefined) checkReachable(machine, states, context);
  }
}

function statesOf({ type }: StateMachineSpec, context: RuleContext): readonly string[] | undefined {
  const { scope, report } = context;
  const named = scope.types.get(type.value);
  if (named === undefined) {
    checkType(type, context);
    return undefined;
  }
  const shape = resolveShape(named.shape, scope);
  if (shape?.kind === "enum") return shape.values.map(({ value }) => value.value);
  if (shape !== undefined) report("states-type-not-enum", type.span, { type: type.value });
  return undefined;
}

function checkTrigger(by: Name, context: RuleContext): void {
  const method = checkMethodName(by, context);
  if (method?.effect.value !== "read") return;
  const related = { span: by.span, message: "it moves a state here" };
  context.report("read-with-effects", method.effect.span, { method: method.name.value }, related);
}

function checkState(
  state: Name,
  states: readonly string[],
  words: readonly string[],
  { report }: RuleContext,
): void {
  const known = [...states, ...words];
  if (known.includes(state.value)) return;
  report("state-unknown", state.span, { state: state.value, words, suggestion: closest(state.value, known) });
}

function checkRepeated(transitions: readonly TransitionSpec[], { report }: RuleContext): void {
  const seen = new Map<string, TransitionSpec>();
  for (const transition of transitions) {
    const { from, to, by, condition } = transition;
    const key = JSON.stringify([from.value, to.value, by?.value, condition]);
    const earlier = seen.get(key);
    if (earlier === undefined) seen.set(key, transition);
    else {
      const related = { span: earlier.from.span, message: "first here" };
      report("transition-repeated", from.span, { from: from.value, to: to.value }, related);
    }
  }
}

/** Only where the machine says how things begin: then every state that nothing leads to is one too many. */
function checkReachable(machine: StateMachineSpec, states: readonly string[], { report }: RuleContext): void {
  const targets = new Set(machine.transitions.map((transition) => transition.to.value));
  const begins = machine.transitions.some((transition) => transition.from.value === "none");
  if (!begins || targets.has("requested")) return;
  for (const state of states) {
    if (!targets.has(state)) report("state-unreachable", machine.span, { state });
  }
}
