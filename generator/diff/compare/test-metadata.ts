import { firstPageOf, type MethodModel, type ResourceModel, type ScenarioModel } from "../../model/index.ts";
import { locate } from "./locate.ts";
import type { SingleRuleId } from "../rules/index.ts";
import type { Comparison } from "./comparison.ts";
import { compareDocumented } from "./documented.ts";
import { pairUp } from "./pair-up.ts";
import { code, quoted } from "./phrases.ts";
import { oncePer } from "../../language/source/once-per.ts";

/** Compares test metadata: kinds of object and sequences of calls. */
export function compareTestMetadata(comparison: Comparison): void {
  compareResources(comparison);
  compareScenarios(comparison);
  compareRequirements(comparison);
}

function compareResources(comparison: Comparison): void {
  const { old, new: recent, report } = comparison;
  const { pairs, removed, added } = pairUp(old.resources, recent.resources, { nameOf: ({ name }) => name });
  for (const { name, span } of removed) {
    report("resource-removed", { path: `resources/${name}`, facts: { name }, old: span, near: recent.span });
  }
  for (const { name, span } of added) {
    report("resource-added", { path: `resources/${name}`, facts: { name }, new: span });
  }
  for (const { old: before, new: now } of pairs) {
    const path = `resources/${now.name}`;
    compareDocumented(comparison, path, `the resource ${code(now.name)}`, before, now);
    const [from, to] = [resourceText(before), resourceText(now)];
    if (from === to) continue;
    report("resource-changed", {
      path,
      facts: { name: now.name, from, to },
      old: before.span,
      new: now.span,
    });
  }
}

/** The keys that are compared elsewhere, or have a place of their own in the text. */
const saidElsewhere = ["name", "doc", "section", "decisions", "since", "deprecated", "span", "samples"];

/** Members of a resource beside its text, in a fixed order. */
function resourceText(resource: ResourceModel): string {
  const others = Object.entries(resource).filter(([key]) => !saidElsewhere.includes(key));
  const texts = [
    ...others.map(([key, value]) => `${key}: ${plain(value)}`),
    ...resource.samples.map(({ name, doc }) => `${name}: ${doc}`),
  ];
  return quoted(texts.toSorted().join(" · "));
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function compareScenarios(comparison: Comparison): void {
  const { old, new: recent, report } = comparison;
  const { pairs, removed, added } = pairUp(old.scenarios, recent.scenarios, { nameOf: ({ name }) => name });
  for (const { name, span } of removed) {
    report("scenario-removed", { path: `scenarios/${name}`, facts: { name }, old: span, near: recent.span });
  }
  for (const { name, span } of added) {
    report("scenario-added", { path: `scenarios/${name}`, facts: { name }, new: span });
  }
  for (const { old: before, new: now } of pairs) {
    const path = `scenarios/${now.name}`;
    compareDocumented(comparison, path, `the scenario ${code(now.name)}`, before, now);
    const [from, to] = [scenarioText(before), scenarioText(now)];
    if (from === to) continue;
    const facts = { name: now.name, from, to };
    report("scenario-changed", { path, facts, old: before.span, new: now.span });
  }
}

const scenarioText = oncePer(({ about, level, alone, steps }: ScenarioModel) =>
  JSON.stringify([about.toSorted(), level, alone, steps]),
);

function compareRequirements(comparison: Comparison): void {
  const { old, new: recent, report } = comparison;
  const { pairs, removed, added } = pairUp(old.requirements, recent.requirements, { nameOf: ({ id }) => id });
  for (const { id, span } of removed) {
    const path = `requirements/${id}`;
    report("requirement-removed", { path, facts: { name: id }, old: span, near: recent.span });
  }
  for (const { id, span } of added) {
    report("requirement-added", { path: `requirements/${id}`, facts: { name: id }, new: span });
  }
  for (const { old: before, new: now } of pairs) {
    const path = `requirements/${now.id}`;
    compareDocumented(comparison, path, `the requirement ${code(now.id)}`, before, now);
    const [from = "", to = ""] = [before, now].map(({ cases, untested }) =>
      JSON.stringify([cases, untested]),
    );
    if (from === to) continue;
    report("requirement-changed", {
      path,
      facts: { name: now.id, from, to },
      old: before.span,
      new: now.span,
    });
  }
}

/** Compares the roles of an operation's own fields. */
export function compareRoles(comparison: Comparison, old: MethodModel, recent: MethodModel): void {
  const compare = (key: "paging" | "registersKey", rule: SingleRuleId, from: string, to: string): void => {
    if (from === to) return;
    comparison.report(rule, {
      path: recent.name,
      facts: { name: recent.name, from, to },
      old: locate(old.span, key),
      new: locate(recent.span, key),
      reaches: [recent.name],
    });
  };
  const keys = [old.registersKey, recent.registersKey] as const;
  const [from, to] = [rolesText(keys[0]), rolesText(keys[1])];
  compare("registersKey", ruleFor("registers-key", keys), from, to);
  const pages = [old.paging, recent.paging] as const;
  const [before, now] = pages;
  if (before === undefined || now === undefined) {
    compare("paging", ruleFor("paging", pages), rolesText(before), rolesText(now));
    return;
  }
  compare("paging", "empty-page-changed", codeText(before.empty), codeText(now.empty));
  if ((before.page === undefined) !== (now.page === undefined)) {
    compare("paging", "paging-style-changed", rolesText(before), rolesText(now));
    return;
  }
  compare("paging", "paging-changed", rolesText(before), rolesText(now));
  compareFirstPages(comparison, old, recent);
}

function codeText(name: string | undefined): string {
  return name === undefined ? "none" : code(name);
}

/** The rule for what came, went or changed. */
function ruleFor<Family extends "paging" | "registers-key">(
  family: Family,
  [old, recent]: readonly [object | undefined, object | undefined],
): `${Family}-${"added" | "removed" | "changed"}` {
  if (old === undefined) return `${family}-added`;
  return recent === undefined ? `${family}-removed` : `${family}-changed`;
}

function compareFirstPages(comparison: Comparison, old: MethodModel, recent: MethodModel): void {
  if (old.paging?.page === undefined || recent.paging?.page === undefined) return;
  const [from, to] = [firstPageOf(old, comparison.old), firstPageOf(recent, comparison.new)];
  if (from === to) return;
  comparison.report("first-page-changed", {
    path: recent.name,
    facts: { name: recent.name, from: String(from), to: String(to) },
    old: locate(old.span, "payload"),
    new: locate(recent.span, "payload"),
    reaches: [recent.name],
  });
}

function rolesText(roles: MethodModel["paging"] | MethodModel["registersKey"]): string {
  if (roles === undefined) return "";
  const entries = Object.entries(roles).filter(([role]) => role !== "name" && role !== "empty");
  return entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([role, field]) => code(`${role}: ${field}`))
    .join(", ");
}
