import type { RuleModel } from "../../model/index.ts";
import { locate } from "./locate.ts";
import type { Comparison } from "./comparison.ts";
import { compareDocumented, normal } from "./documented.ts";
import { pairUp } from "./pair-up.ts";
import { signingSentences, speaksOfNotifications } from "./protocol/signing-words.ts";
import { code, quoted } from "./phrases.ts";

/** Normative sentences. What they say of signatures weighs more than the rest. */
export function compareNormativeRules(comparison: Comparison): void {
  const { old, new: recent, report } = comparison;
  const { pairs, removed, added } = pairUp(old.rules, recent.rules, {
    nameOf: ({ id }) => id,
    alike: [(before, now) => normal(before.doc) === normal(now.doc)],
  });
  for (const rule of removed) {
    report(isAboutSigning(rule) ? "signing-rule-removed" : "rule-removed", {
      path: `rules/${rule.id}`,
      facts: { name: rule.id, from: quoted(normal(rule.doc)) },
      old: rule.span,
      near: recent.span,
      without: withoutReceivers(rule),
    });
  }
  for (const rule of added) {
    report(isAboutSigning(rule) ? "signing-rule-added" : "rule-added", {
      path: `rules/${rule.id}`,
      facts: { name: rule.id, to: quoted(normal(rule.doc)) },
      new: rule.span,
      without: withoutReceivers(rule),
    });
  }
  for (const pair of pairs) compareSentence(comparison, pair.old, pair.new);
}

function compareSentence(comparison: Comparison, old: RuleModel, recent: RuleModel): void {
  const path = `rules/${recent.id}`;
  if (old.id !== recent.id) {
    const facts = { name: recent.id, from: old.id, to: recent.id };
    comparison.report("rule-renamed", { path, facts, old: old.span, new: recent.span });
  }
  if (normal(old.doc) !== normal(recent.doc)) {
    const [before, now] = [old, recent].map(({ doc }) => signingSentences(normal(doc)).join(" "));
    comparison.report(before === now ? "rule-changed" : "signing-rule-changed", {
      path,
      facts: { name: recent.id, from: quoted(normal(old.doc)), to: quoted(normal(recent.doc)) },
      old: locate(old.span, "doc"),
      new: locate(recent.span, "doc"),
      without: withoutReceivers(old, recent),
    });
  }
  compareDocumented(
    comparison,
    path,
    `the rule ${code(recent.id)}`,
    { ...old, doc: "" },
    { ...recent, doc: "" },
  );
}

function isAboutSigning({ doc }: RuleModel): boolean {
  return signingSentences(doc).length > 0;
}

/** Only rules about notifications concern receivers. */
function withoutReceivers(...rules: readonly RuleModel[]): readonly "receivers"[] {
  return rules.some(({ doc }) => speaksOfNotifications(doc)) ? [] : ["receivers"];
}
