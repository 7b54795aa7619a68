import { languageOf } from "../../protocols/languages.ts";
import type {
  ErrorSpec,
  EventMemberSpec,
  EventSpec,
  Located,
  Name,
  StateMachineSpec,
  TransitionSpec,
} from "../spec.ts";
import { repeated, type RuleContext } from "./context.ts";
import { closest } from "../../../conformance/base/closest.ts";
import { resolveShape } from "../references/reach.ts";
import { checkMethodName, checkType } from "./references.ts";

/** The placeholders of a message: the documented name of the failing field. */
const placeholders = ["field"];

/** Messages have known placeholders only, and codes have numbers of their own. */
export function checkErrors(context: RuleContext): void {
  const { spec, scope, report } = context;
  if (languageOf(context.own.wire.protocol).sharesErrorNumbers) {
    checkStandardCodes(context);
    return;
  }
  for (const error of spec.errors) checkMessage(error.message, context);
  for (const method of spec.methods) {
    for (const { message } of method.errors) if (message !== undefined) checkMessage(message, context);
  }
  const own = new Set(spec.errors);
  const all = [...scope.errors.values()];
  const numbers = [
    ["rpc-code-shared", ({ rpcCode }: ErrorSpec) => rpcCode],
    ["error-code-shared", ({ wireCode }: ErrorSpec) => wireCode],
  ] as const;
  for (const [rule, numberOf] of numbers) {
    // Clients know an error by the digits, whether they are text or a number.
    const keyOf = (error: ErrorSpec) => numberOf(error) && String(numberOf(error)?.value);
    for (const { item, first } of repeated(all, keyOf)) {
      const [number, taken] = [numberOf(item), numberOf(first)];
      if (number === undefined || taken === undefined || !own.has(item)) continue;
      const params = { number: number.value, code: item.code.value, other: first.code.value };
      report(rule, number.span, params, { span: taken.span, message: "here too" });
    }
  }
}

/** Errors of JSON-RPC 2.0 may share a code, and their messages are sent as they stand (section 5.1). */
function checkStandardCodes({ spec, report }: RuleContext): void {
  for (const { rpcCode, wireCode } of spec.errors) {
    const { value: code, span } = rpcCode;
    if (wireCode !== undefined) report("error-code-text", wireCode.span, { code: String(wireCode.value) });
    if (code >= -32768 && code <= -32100) report("error-code-reserved", span, { code });
  }
}

function checkMessage({ value, span }: Located<string>, { report }: RuleContext): void {
  for (const [, name = ""] of value.matchAll(/\{([^{}]*)\}/g)) {
    if (!placeholders.includes(name))
      report("message-placeholder-unknown", span, { name, known: placeholders });
  }
}

/** The members of every notification (D-41). */
const ofEvery = [
  "source",
  "eventId",
  "eventName",
  "groupId",
  "subscriptionId",
  "timestamp",
  "sequence",
  "payload",
  "signature",
];

/** Members of notifications have names of their own, and it is said what they hold. */
export function checkEventMembers(context: RuleContext): void {
  for (const event of context.spec.events) {
    const names = new Set(ofEvery);
    const { payloadName } = event;
    for (const { value, span } of [payloadName ?? [], event.members.map(({ name }) => name)].flat()) {
      if (names.has(value) && !isConstantSource(event, span))
        context.report("event-member-taken", span, { name: value });
      names.add(value);
    }
    for (const member of event.members) {
      checkValue(member, event, context);
    }
  }
}

/** Whether a member replaces the name of the event source by a constant, in every notification of its event. */
function isConstantSource({ members }: EventSpec, span: Name["span"]): boolean {
  const member = members.find(({ name }) => name.span === span);
  return (
    member?.name.value === "source" && typeof member.constant?.value === "string" && member.when === undefined
  );
}

function checkValue(
  { name, repeats, constant, when }: EventMemberSpec,
  { payload }: EventSpec,
  { scope, report }: RuleContext,
): void {
  if ((repeats === undefined) === (constant === undefined)) {
    report("event-member-value", name.span, { name: name.value });
    return;
  }
  const resolved = resolveShape(payload, scope);
  if (resolved?.kind !== "object") return;
  const names = resolved.fields.map((field) => field.name.value);
  for (const field of [repeats, when?.field]) {
    if (field === undefined || names.includes(field.value)) continue;
    report("event-member-field", field.span, { name: field.value, suggestion: closest(field.value, names) });
  }
}

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
  for (const { item, first } of repeated(transitions, moveOf)) {
    const { from, to } = item;
    const related = { span: first.from.span, message: "first here" };
    report("transition-repeated", from.span, { from: from.value, to: to.value }, related);
  }
}

function moveOf({ from, to, by, condition }: TransitionSpec): string {
  return JSON.stringify([from.value, to.value, by?.value, condition]);
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
