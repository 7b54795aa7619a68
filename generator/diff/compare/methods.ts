import type { MethodModel } from "../../model/index.ts";
import { locate } from "./locate.ts";
import type { SingleRuleId } from "../rules/index.ts";
import type { Comparison } from "./comparison.ts";
import { compareDocumented, comparePastName } from "./documented.ts";
import { compareClientMembers, compareGeneratedNames } from "./generated-names.ts";
import { compareSince, compareSunset } from "./deprecation.ts";
import { compareMethodErrors } from "./method-errors.ts";
import { pairUp, type Pair } from "./pair-up.ts";
import { comparePayloads } from "./payloads.ts";
import { compareSent } from "./values/sent-value.ts";
import { compareRoles } from "./test-metadata.ts";
import { compareFlatBodies, compareTransports } from "./protocol/transports.ts";
import type { Traversal } from "./values/value-walk.ts";
import { code, literal } from "./phrases.ts";

/** Operations that come, go and change their names, and what those that stay do, take and give. */
export function compareMethods(comparison: Comparison, traversal: Traversal): readonly Pair<MethodModel>[] {
  const { old, new: recent, report } = comparison;
  const { pairs, removed, added } = pairUp(old.methods, recent.methods, {
    nameOf: ({ name }) => name,
    pastNameOf: ({ renamedFrom }) => renamedFrom,
  });
  for (const method of removed) {
    const notes = compareSunset(comparison, method.name, code(method.name), method, recent.span);
    const where = { notes, old: method.span, near: recent.span, reaches: [method.name] };
    report("method-removed", { path: method.name, facts: { name: method.name }, ...where });
  }
  const past = new Set(old.methods.map(({ renamedFrom }) => renamedFrom));
  for (const method of added) {
    const where = {
      path: method.name,
      facts: { name: method.name },
      new: method.span,
      reaches: [method.name],
    };
    report("method-added", where);
    if (past.has(method.name)) report("method-name-reused", where);
    compareSince(comparison, method.name, code(method.name), method);
  }
  for (const pair of pairs) compareMethod(comparison, traversal, pair);
  compareFlatBodies(comparison, pairs);
  return pairs;
}

function compareMethod(comparison: Comparison, traversal: Traversal, pair: Pair<MethodModel>): void {
  const { old, new: recent } = pair;
  const path = recent.name;
  const isRenamed = old.name !== recent.name;
  const places = { old: old.span, new: recent.span, reaches: [path] };
  if (isRenamed) {
    const facts = { name: path, from: old.name, to: path };
    comparison.report("method-renamed", { path, facts, ...places });
  } else {
    compareGeneratedNames(comparison, path, path, old, recent);
    compareClientMembers(comparison, old, recent);
  }
  compareDocumented(comparison, path, code(path), old, recent);
  comparePastName(comparison, path, code(path), old, recent, isRenamed);
  compareEffects(comparison, old, recent);
  compareTransports(comparison, old, recent);
  comparePayloads(comparison, traversal, pair);
  compareResults(comparison, traversal, pair);
  compareMethodErrors(comparison, pair);
  compareEmits(comparison, pair);
  compareRoles(comparison, old, recent);
  if (examplesText(old) !== examplesText(recent)) {
    comparison.report("examples-changed", { path, facts: { name: path }, ...at(old, recent, "examples") });
  }
}

function at(old: MethodModel, recent: MethodModel, ...keys: readonly string[]) {
  return { old: locate(old.span, ...keys), new: locate(recent.span, ...keys), reaches: [recent.name] };
}

function examplesText({ examples }: MethodModel): string {
  return examples.map(literal).toSorted().join("\n");
}

function compareEffects({ report }: Comparison, old: MethodModel, recent: MethodModel): void {
  if (old.effect === recent.effect) return;
  const facts = { name: recent.name, from: old.effect, to: recent.effect };
  report(effectRule(old.effect, recent.effect), {
    path: recent.name,
    facts,
    ...at(old, recent, "effect"),
  });
}

function effectRule(old: MethodModel["effect"], recent: MethodModel["effect"]): SingleRuleId {
  if (old === "read") return "effect-read-to-write";
  if (recent === "read") return "effect-write-to-read";
  return recent === "create" ? "effect-set-to-create" : "effect-create-to-set";
}

function compareResults(
  comparison: Comparison,
  traversal: Traversal,
  { old, new: recent }: Pair<MethodModel>,
): void {
  const path = `${recent.name}/result`;
  const places = { old: locate(old.span, "result"), new: locate(recent.span, "result") };
  const [before, now] = [old, recent].map(({ result, resultType }) =>
    resultType === undefined ? result : ({ kind: "ref", type: resultType } as const),
  );
  if (before === undefined || now === undefined) return;
  const sent = { path, of: `the result of \`${recent.name}\``, places, reaches: recent.name };
  if (compareSent(comparison, traversal, sent, [before, now])) return;
  const [from, to] = [old, recent].map(({ resultType }) => code(resultType ?? "object"));
  const facts = { name: "result", of: code(recent.name), from: from ?? "", to: to ?? "" };
  comparison.report("named-type-changed", { path, facts, ...places });
}

function compareEmits({ report }: Comparison, { old, new: recent }: Pair<MethodModel>): void {
  const path = recent.name;
  for (const event of recent.emits.filter((name) => !old.emits.includes(name))) {
    report("emits-added", { path, facts: { name: path, to: event }, ...at(old, recent, "emits", event) });
  }
  for (const event of old.emits.filter((name) => !recent.emits.includes(name))) {
    report("emits-removed", { path, facts: { name: path, from: event }, ...at(old, recent, "emits", event) });
  }
}
