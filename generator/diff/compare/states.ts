import {
  resolve,
  typeOf,
  type ServiceModel,
  type StateMachineModel,
  type TransitionModel,
} from "../../model/index.ts";
import { locate } from "../locate.ts";
import type { Comparison } from "./comparison.ts";
import { compareDocumented } from "./documented.ts";
import { pairUp, type Pair } from "./pair-up.ts";
import { code, quotedList } from "./words.ts";

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
  const possible = movesOf(comparison.old, before, old.type, renamed);
  const allowed = movesOf(comparison.new, recent.transitions, recent.type, new Map());
  const states = statesOf(comparison.new, recent.type);
  const of = code(recent.name);
  for (const transition of removed) {
    const lost = expand(
      transition,
      statesOf(comparison.old, old.type).map((state) => renamed.get(state) ?? state),
    ).filter((move) => !allowed.has(move));
    reportMove(comparison, "removed", path, of, transition, lost, {
      old: transition.span,
      near: recent.span,
    });
  }
  for (const transition of added) {
    const gained = expand(transition, states).filter((move) => !possible.has(move));
    reportMove(comparison, "added", path, of, transition, gained, { new: transition.span });
  }
  for (const pair of pairs) compareTransition(comparison, path, of, pair);
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
    ...(by === undefined ? {} : { by: methodNames.get(by) ?? by }),
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
    shape.values.flatMap(({ value, renamedFrom }) =>
      renamedFrom !== undefined && known.has(renamedFrom) && !known.has(value)
        ? [[renamedFrom, value] as const]
        : [],
    ),
  );
}

function statesOf(model: ServiceModel, type: string): readonly string[] {
  if (!model.types.some(({ name }) => name === type)) return [];
  const shape = resolve(model, typeOf(model, { kind: "ref", type }).shape);
  return shape.kind === "enum" ? shape.values.map(({ value }) => value) : [];
}

/** Each move that some transition makes possible: from where, to where, by what. */
function movesOf(
  model: ServiceModel,
  transitions: readonly Transition[],
  type: string,
  renamed: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const states = statesOf(model, type).map((state) => renamed.get(state) ?? state);
  return new Set(transitions.flatMap((transition) => expand(transition, states)));
}

/** `any` is each state, and `requested` each that the caller asks for. */
function expand({ from, to, by }: Transition, states: readonly string[]): readonly string[] {
  const starts = from === "any" ? states : [from];
  const ends = to === "requested" ? states : [to];
  return starts.flatMap((start) => ends.map((end) => JSON.stringify([start, end, by ?? ""])));
}

function reportMove(
  { report }: Comparison,
  what: "added" | "removed",
  path: string,
  of: string,
  transition: Transition,
  moves: readonly string[],
  places: {
    readonly old?: Transition["span"];
    readonly new?: Transition["span"];
    readonly near?: Transition["span"];
  },
): void {
  const name = moveText(transition);
  const notes = moves.length > 1 ? [`In all: ${moves.map(pairText).join(", ")}.`] : [];
  const facts = { name, of, [what === "added" ? "to" : "from"]: moves.map(pairText).join(", ") };
  const where = { path: `${path}/${transition.from}-${transition.to}`, facts, notes, ...places };
  const byCall = transition.by !== undefined;
  if (moves.length === 0) report("transition-restated", where);
  else if (what === "added") report(byCall ? "transition-by-call-added" : "transition-added", where);
  else report(byCall ? "transition-by-call-removed" : "transition-removed", where);
}

function pairText(move: string): string {
  const [from, to]: readonly unknown[] = JSON.parse(move);
  return `${String(from)} → ${String(to)}`;
}

function moveText({ from, to, by }: Transition): string {
  const trigger = by === undefined ? "" : ` by \`${by}\``;
  return `\`${from}\` → \`${to}\`${trigger}`;
}

function compareTransition(
  comparison: Comparison,
  machine: string,
  of: string,
  { old, new: recent }: Pair<Transition>,
): void {
  const path = `${machine}/${recent.from}-${recent.to}`;
  const name = moveText(recent);
  const at = (key: string) => ({ old: locate(old.span, key), new: locate(recent.span, key) });
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
