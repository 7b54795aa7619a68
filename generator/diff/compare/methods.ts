import { firstPageOf, type MethodModel, type ServiceModel } from "../../model/index.ts";
import { oncePer } from "../../language/source/once-per.ts";
import { protocolOf } from "../../protocols/index.ts";
import type { SingleRuleId } from "../rules/index.ts";
import { locate, type Comparison, type Report } from "./comparison.ts";
import { compareDefinitions, compareNamed, differs } from "./definitions.ts";
import { compareMethodErrors } from "./errors.ts";
import { nameOf, type Pair } from "./pair-up.ts";
import { comparePayloads } from "./payloads.ts";
import { code, literal } from "./phrases.ts";
import { compareFlatBodies, compareTransports } from "./protocol/transports.ts";
import { compareTravelling } from "./values/texts.ts";
import type { Traversal } from "./values/value-walk.ts";

/** Operations that come, go and change their names, and what those that stay do, take and give. */
export function compareMethods(comparison: Comparison, traversal: Traversal): readonly Pair<MethodModel>[] {
  const pairs = compareDefinitions(comparison, {
    old: comparison.old.methods,
    new: comparison.new.methods,
    kind: "method",
    nameOf,
    pastNameOf: ({ renamedFrom }) => renamedFrom,
    path: ({ name }) => name,
    title: ({ name }) => code(name),
    reaches: ({ name }) => [name],
    reused: "method-name-reused",
  });
  for (const pair of pairs) compareMethod(comparison, traversal, pair);
  compareFlatBodies(comparison, pairs);
  return pairs;
}

function compareMethod(comparison: Comparison, traversal: Traversal, pair: Pair<MethodModel>): void {
  const { old, new: recent } = pair;
  const name = recent.name;
  const thing = { ...pair, path: name, name, reaches: [name] };
  const report = comparison.at(thing);
  compareNamed(comparison, { ...thing, title: code(name), formerName: old.name, renamed: "method-renamed" });
  if (old.name === name) compareClientMembers(comparison, pair);
  differs(report, effectRule(old.effect, recent.effect), old.effect, recent.effect, "effect");
  compareTransports(comparison, report, pair);
  comparePayloads(comparison, traversal, pair);
  compareResults(comparison, traversal, pair);
  compareMethodErrors(comparison, pair);
  for (const event of recent.emits.filter((each) => !old.emits.includes(each)))
    report("emits-added", { to: event }, "emits", event);
  for (const event of old.emits.filter((each) => !recent.emits.includes(each)))
    report("emits-removed", { from: event }, "emits", event);
  comparePaging(comparison, report, pair);
  const keys = [rolesText(old.registersKey), rolesText(recent.registersKey)] as const;
  const rule = `registers-key-${came(old.registersKey, recent.registersKey)}` as const;
  differs(report, rule, ...keys, "registersKey");
  if (examplesText(old) !== examplesText(recent)) report("examples-changed", {}, "examples");
}

function examplesText({ examples }: MethodModel): string {
  return examples.map(literal).toSorted().join("\n");
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
  const { name } = recent;
  const places = { old: locate(old.span, "result"), new: locate(recent.span, "result") };
  const [before, now] = [resultOf(old), resultOf(recent)];
  const sent = { label: name, path: `${name}/result`, of: `the result of \`${name}\``, places };
  compareTravelling(comparison, traversal, { ...sent, direction: "response" }, before, now);
}

function resultOf({ result, resultType }: MethodModel) {
  return resultType === undefined ? result : ({ kind: "ref", type: resultType } as const);
}

/** Compares the client's names of a method whose own name stays: its member and its list's. */
function compareClientMembers(comparison: Comparison, pair: Pair<MethodModel>): void {
  const { old, new: recent } = pair;
  const [before, now] = [clientMembers(comparison.old), clientMembers(comparison.new)];
  for (const kind of ["methods", "lists"] as const) {
    const [from, to] = [before[kind].get(old.name), now[kind].get(recent.name)];
    if (from === undefined || to === undefined) continue;
    const path = kind === "methods" ? recent.name : `${recent.name}/paging`;
    const report = comparison.at({ ...pair, path, name: recent.name, reaches: [recent.name] });
    differs(report, "client-member-changed", code(from), code(to));
  }
}

const clientMembers = oncePer((model: ServiceModel) => {
  const { lists, methods } = protocolOf(model).clientMembers(model);
  return {
    methods: new Map(methods.map(({ method, member }) => [method.name, `client.${member}`])),
    lists: new Map(lists.map(({ method, name }) => [method.name, `client.${name}.all`])),
  };
});

/** Compares which of an operation's own fields turn its pages. */
function comparePaging(
  comparison: Comparison,
  report: Report,
  { old, new: recent }: Pair<MethodModel>,
): void {
  const [before, now] = [old.paging, recent.paging];
  const texts = [rolesText(before), rolesText(now)] as const;
  if (before === undefined || now === undefined)
    return differs(report, `paging-${came(before, now)}`, ...texts, "paging");
  const [from, to] = [before, now].map(({ empty }) => (empty === undefined ? "none" : code(empty)));
  differs(report, "empty-page-changed", from ?? "", to ?? "", "paging");
  const isOtherStyle = (before.page === undefined) !== (now.page === undefined);
  differs(report, isOtherStyle ? "paging-style-changed" : "paging-changed", ...texts, "paging");
  if (before.page === undefined || now.page === undefined) return;
  const pages = [firstPageOf(old, comparison.old), firstPageOf(recent, comparison.new)].map(String);
  differs(report, "first-page-changed", pages[0] ?? "", pages[1] ?? "", "payload");
}

function came(old: object | undefined, recent: object | undefined) {
  if (old === undefined) return "added";
  return recent === undefined ? "removed" : "changed";
}

function rolesText(roles: MethodModel["paging"] | MethodModel["registersKey"]): string {
  const entries = Object.entries(roles ?? {}).filter(([role]) => role !== "name" && role !== "empty");
  return entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([role, field]) => code(`${role}: ${field}`))
    .join(", ");
}
