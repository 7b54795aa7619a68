import type { Documented } from "../../model/index.ts";
import { locate } from "./locate.ts";
import type { Comparison } from "./comparison.ts";
import { codeList, quoted } from "./phrases.ts";

/**
 * The members of every documented thing: text, section, decisions, since when, until when. Receivers of events
 * are concerned where it is part of one.
 */
export function compareDocumented(
  { report }: Comparison,
  path: string,
  name: string,
  old: Documented,
  recent: Documented,
  isOfEvent = path.startsWith("events/"),
): void {
  const at = (key: string) => ({ old: locate(old.span, key), new: locate(recent.span, key) });
  const [from, to] = old.doc === recent.doc ? ["", ""] : [normal(old.doc), normal(recent.doc)];
  if (from !== to) {
    const hasFigures = figuresOf(from) !== figuresOf(to);
    const rule = hasFigures ? "doc-figures-changed" : saysMore(from, to) ? "doc-rule-added" : "doc-changed";
    report(/^(?:resources|scenarios)\//.test(path) ? "doc-changed" : rule, {
      path,
      facts: { name, from: quoted(from), to: quoted(to) },
      ...at("doc"),
      without: isOfEvent ? [] : ["receivers"],
    });
  }
  if (old.section !== recent.section) {
    const facts = { name, from: old.section ?? "none", to: recent.section ?? "none" };
    report("section-changed", { path, facts, ...at("section") });
  }
  const [before, now] = [old.decisions.toSorted(), recent.decisions.toSorted()];
  if (before.join() !== now.join()) {
    const facts = { name, from: codeList(before), to: codeList(now) };
    report("decisions-changed", { path, facts, ...at("decision") });
  }
  if (old.since !== recent.since) {
    const facts = { name, from: old.since ?? "", to: recent.since ?? "" };
    report("since-changed", { path, facts, ...at("since") });
  }
  compareDeprecation(old, recent, (rule) => {
    const facts = { name, from: old.deprecated ?? "", to: recent.deprecated ?? "" };
    report(rule, { path, facts, ...at("deprecated") });
  });
}

function compareDeprecation(
  { deprecated: old }: Documented,
  { deprecated: recent }: Documented,
  report: (rule: "deprecated-added" | "deprecated-changed" | "deprecated-removed") => void,
): void {
  if (old === recent) return;
  if (old === undefined) report("deprecated-added");
  else report(recent === undefined ? "deprecated-removed" : "deprecated-changed");
}

/** How a past name is remembered. */
export function comparePastName(
  { report }: Comparison,
  path: string,
  name: string,
  old: Documented & { readonly renamedFrom?: string },
  recent: Documented & { readonly renamedFrom?: string },
  wasRenamed: boolean,
): void {
  const [from, to] = [old.renamedFrom, recent.renamedFrom];
  if (wasRenamed || from === to) return;
  const facts = { name, from: from ?? "nothing", to: to ?? "nothing" };
  report("renamed-from-changed", {
    path,
    facts,
    old: locate(old.span, "renamedFrom"),
    new: locate(recent.span, "renamedFrom"),
  });
}

/** The figures in a text, in any order; those in a name such as SHA-256 are none. */
function figuresOf(text: string): string {
  return (text.match(/(?<![\w-])\d+(?:[.,:]\d+)*/g) ?? []).toSorted().join(" ");
}

/** Words by which a sentence asks for something, or forbids it. */
const ruling =
  /\b(?:must|shall|should|required?|requires|mandatory|has to|have to|needs? to|cannot|can not|may not|not allowed|forbidden|refused|rejected|invalid|only|never|always|unless|except|at most|at least|no more than|no longer|exactly|unique)\b/i;

/** Whether a text has a sentence that rules something and was not in it before, in these or other words. */
function saysMore(old: string, recent: string): boolean {
  const before = new Set(sentencesOf(old));
  return sentencesOf(recent).some((sentence) => ruling.test(sentence) && !before.has(sentence));
}

function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.;!?])\s+/).map((sentence) => sentence.toLowerCase().replace(/[.;!?]+$/, ""));
}

/** A text without what line breaks and indentation make of it. */
export function normal(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
