import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import {
  resolve,
  typeOf,
  type ServiceModel,
  type StateMachineModel,
  type TransitionModel,
} from "../../model/index.ts";
import { locate } from "./locate.ts";
import type { Comparison, Places } from "./comparison.ts";
import { compareDocumented } from "./documented.ts";
import { pairUp, type Pair } from "./pair-up.ts";
import { code, quotedList } from "./phrases.ts";

/** State machines: which moves are possible, by whom, on what condition and with what effect. */
export function compareStates(comparison: Comparison, methodNames: ReadonlyMap<string, string>): void {
  const { old, new: recent, report } = comparison;
  const { pairs, removed, added } = pairUp(old.states, recent.states, {
    nameOf: ({ name }) => name,
    alike: [(before, now) => before.type === now.type],
  });
  for (const { name, span } of removed) {
    report("state-machine-removed", {
      path: `states/${name}`,
      facts: { name },
      old: span,
      near: recent.span,
    });
  }
  for (const { name, span } of added) {
    report("state-machine-added", { path: `states/${name}`, facts: { name }, new: span });
  }
  for (const pair of pairs) compareMachine(comparison, methodNames, pair);
}

function compareMachine(
  comparison: Comparison,
  methodNames: ReadonlyMap<string, string>,
  { old, new: recent }: Pair<StateMachineModel>,
): void {
  const path = `states/${recent.name}`;
  compareDocumented(comparison, path, `the state machine ${code(recent.name)}`, old, recent);
  if (comparison.types.get(recent.type)?.name !== old.type) {
    const facts = { name: recent.name, from: old.type, to: recent.type };
    const places = { old: locate(old.span, "type"), new: locate(recent.span, "type") };
    comparison.report("state-machine-type-changed", { path, facts, ...places });
  }
  const renamed = renamedStates(comparison, recent);
  const before = old.transitions.map((transition) => restated(transition, renamed, methodNames));
  const { pairs, removed, added } = pairUp(before, [...recent.transitions], {
    nameOf: ({ from, to, by, condition }) => JSON.stringify([from, to, by, condition]),
    alike: [(was, is) => was.from === is.from && was.to === is.to && was.by === is.by],
  });
  const oldStates = statesOf(comparison.old, old.type).map((state) => renamed.get(state) ?? state);
  const newStates = statesOf(comparison.new, recent.type);
  const machine: Machine = {
    path,
    of: code(recent.name),
    states: [...new Set([...oldStates, ...newStates])],
  };
  const reworded: Transition[] = [];
  for (const transition of removed) {
    const lost = without(expand(transition, oldStates), recent.transitions, newStates);
    const places = { old: transition.span, near: recent.span };
    if (lost.length === 0) reworded.push(transition);
    else reportMove(comparison, "removed", machine, transition, lost, places);
  }
  for (const transition of added) {
    const gained = without(expand(transition, newStates), before, oldStates);
    if (gained.length === 0) reworded.push(transition);
    else reportMove(comparison, "added", machine, transition, gained, { new: transition.span });
  }
  reportRestated(comparison, machine, reworded, recent);
  for (const pair of pairs) compareTransition(comparison, path, machine.of, pair);
}

type Transition = TransitionModel;

/** A transition of the old revision in the names of the new one. */
function restated(
  transition: Transition,
  renamed: ReadonlyMap<string, string>,
  methodNames: ReadonlyMap<string, string>,
): Transition {
  const { from, to, by } = transition;
  return {
    ...transition,
    from: renamed.get(from) ?? from,
    to: renamed.get(to) ?? to,
    ...omitUndefined({ by: by === undefined ? undefined : (methodNames.get(by) ?? by) }),
  };
}

function renamedStates(
  { new: recent, old, types }: Comparison,
  machine: StateMachineModel,
): ReadonlyMap<string, string> {
  const shape = resolve(recent, { kind: "ref", type: machine.type });
  const known = new Set(statesOf(old, types.get(machine.type)?.name ?? machine.type));
  if (shape.kind !== "enum") return new Map();
  return new Map(
    shape.values.flatMap(({ value: state, renamedFrom }) => {
      const value = String(state);
      return renamedFrom !== undefined && known.has(renamedFrom) && !known.has(value)
        ? [[renamedFrom, value] as const]
        : [];
    }),
  );
}

function statesOf(model: ServiceModel, type: string): readonly string[] {
  if (!model.types.some(({ name }) => name === type)) return [];
  const shape = resolve(model, typeOf(model, { kind: "ref", type }).shape);
  return shape.kind === "enum" ? shape.values.map(({ value }) => String(value)) : [];
}

/** From where, to where, by what. */
interface Move {
  readonly from: string;
  readonly to: string;
  readonly by: string;
}

/** `any` is each state, and `requested` each that the caller asks for. */
function expand({ from, to, by = "" }: Transition, states: readonly string[]): readonly Move[] {
  const starts = from === "any" ? states : [from];
  const ends = to === "requested" ? states : [to];
  return starts.flatMap((start) => ends.map((end) => ({ from: start, to: end, by })));
}

/** Those of the moves that none of the transitions makes possible. */
function without(
  moves: readonly Move[],
  transitions: readonly Transition[],
  states: readonly string[],
): readonly Move[] {
  const possible = new Set(transitions.flatMap((transition) => expand(transition, states)).map(idOf));
  return moves.filter((move) => !possible.has(idOf(move)));
}

function idOf({ from, to, by }: Move): string {
  return JSON.stringify([from, to, by]);
}

/** A state machine, as a comparison stands at it. */
interface Machine {
  readonly path: string;
  readonly of: string;
  /** The states of both revisions, by their new names. */
  readonly states: readonly string[];
}

function reportMove(
  { report }: Comparison,
  what: "added" | "removed",
  machine: Machine,
  transition: Transition,
  moves: readonly Move[],
  places: Places,
): void {
  const path = `${machine.path}/${transition.from}-${transition.to}`;
  const byCall = transition.by !== undefined;
  const reaches = transition.by === undefined ? [] : [transition.by];
  const name = `${movesText(moves, machine.states)}${triggerText(transition)}`;
  const facts = { name, of: machine.of };
  if (what === "added")
    report(byCall ? "transition-by-call-added" : "transition-added", { path, facts, ...places, reaches });
  else
    report(byCall ? "transition-by-call-removed" : "transition-removed", { path, facts, ...places, reaches });
}

/** Once for all moves by the same call: which transitions say so is a matter of words. */
function reportRestated(
  { report }: Comparison,
  { path, of }: Machine,
  transitions: readonly Transition[],
  { span }: StateMachineModel,
): void {
  for (const [by = "", group] of Map.groupBy(transitions, (transition) => transition.by)) {
    const name = by === "" ? "moves without a call" : `moves by \`${by}\``;
    const to = group.map(moveText).toSorted().join(", ");
    report("transition-restated", { path: `${path}/${by}`, facts: { name, of, to }, new: span });
  }
}

/** `OPEN`, `LOST` → `ENDED`: states that lead to the same ones together. */
function movesText(moves: readonly Move[], states: readonly string[]): string {
  const ends = Map.groupBy(moves, ({ from }) => from);
  const byEnds = Map.groupBy([...ends.keys()], (from) => (ends.get(from) ?? []).map(({ to }) => to).join());
  const texts = [...byEnds].map(
    ([to, from]) => `${statesText(from, states)} → ${statesText(to.split(","), states)}`,
  );
  return texts.join("; ");
}

function statesText(names: readonly string[], states: readonly string[]): string {
  if (states.length > 1 && states.every((state) => names.includes(state))) return "any state";
  return names.map(code).join(", ");
}

function moveText(transition: Transition): string {
  const { from, to } = transition;
  return `\`${from}\` → \`${to}\`${triggerText(transition)}`;
}

function triggerText({ by }: Transition): string {
  return by === undefined ? "" : ` by \`${by}\``;
}

function compareTransition(
  comparison: Comparison,
  machine: string,
  of: string,
  { old, new: recent }: Pair<Transition>,
): void {
  const path = `${machine}/${recent.from}-${recent.to}`;
  const name = moveText(recent);
  const reaches = recent.by === undefined ? [] : [recent.by];
  const at = (key: string) => ({ old: locate(old.span, key), new: locate(recent.span, key), reaches });
  compareDocumented(comparison, path, `the move ${name} of ${of}`, old, recent);
  const [from, to] = [old.condition, recent.condition];
  if (from !== to) {
    const facts = { name, of, from: from ?? "", to: to ?? "" };
    const rule = conditionRule(from, to);
    comparison.report(rule, { path, facts, ...at("condition") });
  }
  if (old.effects.toSorted().join("\n") === recent.effects.toSorted().join("\n")) return;
  const facts = { name, of, from: quotedList(old.effects), to: quotedList(recent.effects) };
  comparison.report("transition-effects-changed", { path, facts, ...at("effects") });
}

function conditionRule(old: string | undefined, recent: string | undefined) {
  if (old === undefined) return "transition-condition-added";
  return recent === undefined ? "transition-condition-removed" : "transition-condition-changed";
}
