import type { Span } from "../../language/source/index.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import {
  resolve,
  typeOf,
  type ServiceModel,
  type StateMachineModel,
  type TransitionModel,
} from "../../model/index.ts";
import type { Comparison } from "./comparison.ts";
import { compareDefinitions, compareDocumented, differs } from "./definitions.ts";
import { nameOf, pairUp, type Pair } from "./pair-up.ts";
import { code, quotedList } from "./phrases.ts";

/** State machines: which moves are possible, by whom, on what condition and with what effect. */
export function compareStates(comparison: Comparison, methodNames: ReadonlyMap<string, string>): void {
  const pairs = compareDefinitions(comparison, {
    old: comparison.old.states,
    new: comparison.new.states,
    kind: "state-machine",
    nameOf,
    alike: [({ type }) => [type]],
    path: ({ name }) => `states/${name}`,
  });
  for (const pair of pairs) compareMachine(comparison, methodNames, pair);
}

function compareMachine(
  comparison: Comparison,
  methodNames: ReadonlyMap<string, string>,
  machinePair: Pair<StateMachineModel>,
): void {
  const { old, new: recent } = machinePair;
  const path = `states/${recent.name}`;
  compareDocumented(comparison, path, `the state machine ${code(recent.name)}`, old, recent);
  if (comparison.types.get(recent.type)?.name !== old.type) {
    const report = comparison.at({ ...machinePair, path, name: recent.name });
    report("state-machine-type-changed", { from: old.type, to: recent.type }, "type");
  }
  const renamed = renamedStates(comparison, recent);
  const before = old.transitions.map((transition) => restated(transition, renamed, methodNames));
  const { pairs, removed, added } = pairUp(before, [...recent.transitions], {
    nameOf: ({ from, to, by, condition }) => JSON.stringify([from, to, by, condition]),
    alike: [({ from, to, by }) => [JSON.stringify([from, to, by])]],
  });
  const oldStates = statesOf(comparison.old, old.type).map((state) => renamed.get(state) ?? state);
  const newStates = statesOf(comparison.new, recent.type);
  const machine: Machine = {
    path,
    of: code(recent.name),
    span: recent.span,
    states: [...new Set([...oldStates, ...newStates])],
  };
  const reworded: Transition[] = [];
  for (const transition of removed) {
    const lost = movesBeyond(transition, oldStates, recent.transitions, newStates);
    if (lost.length === 0) reworded.push(transition);
    else reportMove(comparison, "removed", machine, lost, transition);
  }
  for (const transition of added) {
    const gained = movesBeyond(transition, newStates, before, oldStates);
    if (gained.length === 0) reworded.push(transition);
    else reportMove(comparison, "added", machine, gained, transition);
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

/** The states to which something leads from one. */
interface Moves {
  readonly from: string;
  readonly to: readonly string[];
}

/** The moves of a transition that none of the others by the same call makes possible. `any` is each state. */
function movesBeyond(
  { from, to, by }: Transition,
  states: readonly string[],
  others: readonly Transition[],
  otherStates: readonly string[],
): readonly Moves[] {
  const known = new Set(otherStates);
  const rivals = others.filter((other) => other.by === by);
  const starts = from === "any" ? states : [from];
  // `requested` is each state that the caller asks for.
  const ends = to === "requested" ? states : [to];
  return starts.flatMap((start) => {
    const passing = rivals.filter((each) => each.from === start || (each.from === "any" && known.has(start)));
    const isPossible = (end: string): boolean =>
      passing.some((each) => each.to === end || (each.to === "requested" && known.has(end)));
    const beyond = ends.filter((end) => !isPossible(end));
    return beyond.length === 0 ? [] : [{ from: start, to: beyond }];
  });
}

/** A state machine, as a comparison stands at it. */
interface Machine {
  readonly path: string;
  readonly of: string;
  readonly span: Span;
  /** The states of both revisions, by their new names. */
  readonly states: readonly string[];
}

function reportMove(
  comparison: Comparison,
  what: "added" | "removed",
  machine: Machine,
  moves: readonly Moves[],
  transition: Transition,
): void {
  const { from, to, by } = transition;
  const report = comparison.at({
    path: `${machine.path}/${from}-${to}`,
    name: `${movesText(moves, machine.states)}${triggerText(transition)}`,
    of: machine.of,
    near: machine.span,
    reaches: by === undefined ? [] : [by],
    ...(what === "added" ? { new: transition } : { old: transition }),
  });
  report(by === undefined ? `transition-${what}` : `transition-by-call-${what}`);
}

/** Once for all moves by the same call: which transitions say so is a matter of words. */
function reportRestated(
  comparison: Comparison,
  { path, of }: Machine,
  transitions: readonly Transition[],
  recent: StateMachineModel,
): void {
  for (const [by = "", group] of Map.groupBy(transitions, (transition) => transition.by)) {
    const name = by === "" ? "moves without a call" : `moves by \`${by}\``;
    const to = group.map(moveText).toSorted().join(", ");
    comparison.at({ path: `${path}/${by}`, name, of, new: recent })("transition-restated", { to });
  }
}

/** `OPEN`, `LOST` → `ENDED`: states that lead to the same ones together. */
function movesText(moves: readonly Moves[], states: readonly string[]): string {
  const byEnds = Map.groupBy(moves, ({ to }) => to.join());
  return [...byEnds.values()]
    .map((group) => {
      const starts = group.map(({ from }) => from);
      return `${statesText(starts, states)} → ${statesText(group[0]?.to ?? [], states)}`;
    })
    .join("; ");
}

function statesText(names: readonly string[], states: readonly string[]): string {
  const named = new Set(names);
  if (states.length > 1 && states.every((state) => named.has(state))) return "any state";
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
  pair: Pair<Transition>,
): void {
  const { old, new: recent } = pair;
  const path = `${machine}/${recent.from}-${recent.to}`;
  const name = moveText(recent);
  const reaches = recent.by === undefined ? [] : [recent.by];
  compareDocumented(comparison, path, `the move ${name} of ${of}`, old, recent);
  const report = comparison.at({ ...pair, path, name, of, reaches });
  const [from, to] = [old.condition, recent.condition];
  differs(report, conditionRule(from, to), from ?? "", to ?? "", "condition");
  const [before, now] = [old, recent].map(({ effects }) => effects.toSorted().join("\n"));
  if (before !== now)
    report(
      "transition-effects-changed",
      { from: quotedList(old.effects), to: quotedList(recent.effects) },
      "effects",
    );
}

function conditionRule(old: string | undefined, recent: string | undefined) {
  if (old === undefined) return "transition-condition-added";
  return recent === undefined ? "transition-condition-removed" : "transition-condition-changed";
}
