import { compareRevisions } from "../../language/index.ts";
import type { Documented, ServiceGroup } from "../../model/index.ts";
import { protocolOf } from "../../protocols/index.ts";
import type { Comparison, Located } from "./comparison.ts";
import {
  compareDefinitions,
  compareDocumented,
  compareGeneratedNames,
  differs,
  normal,
} from "./definitions.ts";
import { nameOf, pairUp } from "./pair-up.ts";
import { code, quoted, signingSentences, speaksOfNotifications } from "./phrases.ts";

/** Compares the interface as a whole. */
export function compareInterface(comparison: Comparison): void {
  const { old, new: recent } = comparison;
  const at = (key: string) =>
    comparison.at({ path: `interface/${key}`, name: recent.name, old, new: recent });
  compareDocumented(comparison, "interface", "the interface", old, recent);
  differs(at("name"), "interface-renamed", old.name, recent.name, "name");
  differs(at("title"), "title-changed", quoted(old.title), quoted(recent.title), "title");
  differs(at("path"), "path-changed", code(old.path), code(recent.path), ...protocolOf(recent).pathKeys);
  const isBack = compareRevisions(recent.revision, old.revision) < 0;
  const rule = isBack ? "revision-went-back" : "revision-changed";
  differs(at("revision"), rule, old.revision, recent.revision, "revision");
  compareServed(comparison);
  compareServices(comparison);
}

function compareServed(comparison: Comparison): void {
  const { old, new: recent } = comparison;
  const found = pairUp(old.serves ?? [], recent.serves ?? [], { nameOf: ({ model }) => model.revision });
  const at = (from: string, side: { readonly old: Located } | { readonly new: Located }) =>
    comparison.at({ path: `interface/serves/${from}`, name: recent.name, ...side });
  for (const each of found.removed) {
    const from = each.model.revision;
    if (from !== recent.revision) at(from, { old: each })("served-revision-removed", { from });
  }
  for (const each of found.added)
    at(each.model.revision, { new: each })("served-revision-added", { from: each.model.revision });
}

function compareServices(comparison: Comparison): void {
  const { services } = comparison.old;
  const definitions = {
    old: services,
    new: comparison.new.services,
    kind: "service",
    nameOf,
    path: servicePath,
  } as const;
  for (const { old, new: recent } of compareDefinitions(comparison, definitions)) {
    compareDocumented(comparison, servicePath(recent), code(recent.name), old, recent);
    compareGeneratedNames(comparison, servicePath(recent), recent.name, old, recent);
  }
}

function servicePath({ name }: ServiceGroup): string {
  return `interface/services/${name}`;
}

/** Normative sentences. What they say of signatures weighs more than the rest. */
export function compareNormativeRules(comparison: Comparison): void {
  const pairs = compareDefinitions(comparison, {
    old: comparison.old.rules,
    new: comparison.new.rules,
    kind: ({ doc }) => (signingSentences(doc).length > 0 ? "signing-rule" : "rule"),
    nameOf: ({ id }) => id,
    alike: [({ doc }) => [normal(doc)]],
    path: ({ id }) => `rules/${id}`,
    text: ({ doc }) => quoted(normal(doc)),
    without: (rule) => withoutReceivers(rule),
  });
  for (const pair of pairs) {
    const { old, new: recent } = pair;
    const path = `rules/${recent.id}`;
    const report = comparison.at({ ...pair, path, name: recent.id });
    differs(report, "rule-renamed", old.id, recent.id);
    const [from, to] = [normal(old.doc), normal(recent.doc)];
    const [before, now] = [from, to].map((text) => signingSentences(text).join(" "));
    const without = withoutReceivers(old, recent);
    if (from !== to)
      report(
        before === now ? "rule-changed" : "signing-rule-changed",
        { from: quoted(from), to: quoted(to), without },
        "doc",
      );
    const title = `the rule ${code(recent.id)}`;
    compareDocumented(comparison, path, title, { ...old, doc: "" }, { ...recent, doc: "" });
  }
}

/** Only rules about notifications concern receivers. */
function withoutReceivers(...rules: readonly Documented[]): readonly "receivers"[] {
  return rules.some(({ doc }) => speaksOfNotifications(doc)) ? [] : ["receivers"];
}
