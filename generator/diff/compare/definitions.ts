import { compareRevisions } from "../../language/index.ts";
import type { Span } from "../../language/source/index.ts";
import type { Documented, Names } from "../../model/index.ts";
import type { SingleRuleId } from "../rules/index.ts";
import type { Comparison, Located, Report, Thing } from "./comparison.ts";
import { pairUp, type Naming, type Pair, type Pairs } from "./pair-up.ts";
import { codeList, quoted } from "./phrases.ts";

type Kind =
  | "method"
  | "event"
  | "error"
  | "type"
  | "form"
  | "service"
  | "state-machine"
  | "resource"
  | "scenario"
  | "requirement"
  | "rule"
  | "signing-rule"
  | "scheme"
  | "auth-member"
  | "auth-header";

/** The definitions of one kind in both revisions. */
interface Definitions<T> extends Naming<T>, Pick<Thing, "of" | "near"> {
  readonly old: readonly T[];
  readonly new: readonly T[];
  readonly kind: Kind | ((item: T) => Kind);
  readonly path: (item: T) => string;
  /** As changes call one, where that is not the name by which it is paired. */
  readonly called?: (item: T) => string;
  /** What is said of one beside its name. */
  readonly text?: (item: T) => string;
  readonly reaches?: (item: T) => readonly string[];
  readonly without?: (item: T) => Thing["without"];
  /** As a phrase: where it is given, deprecation and `since` are looked at. */
  readonly title?: (item: T) => string;
  /** The rule for a new one that has the past name of another. */
  readonly reused?: SingleRuleId;
}

/** Reports the definitions that came and went. Gives those that stayed. */
export function compareDefinitions<T extends Partial<Documented> & Located>(
  comparison: Comparison,
  definitions: Definitions<T>,
  { pairs, removed, added }: Pairs<T> = pairUp(definitions.old, definitions.new, definitions),
): readonly Pair<T>[] {
  const { kind, path, called = definitions.nameOf, text, title, reused, of, near } = definitions;
  const kindOf = typeof kind === "string" ? () => kind : kind;
  const thing = (item: T) => ({
    path: path(item),
    name: called(item),
    ...(of === undefined ? {} : { of }),
    near,
    reaches: definitions.reaches?.(item) ?? [],
    without: definitions.without?.(item) ?? [],
  });
  for (const old of removed) {
    const notes = title && compareSunset(comparison, path(old), title(old), old, near);
    const from = text?.(old) ?? "";
    comparison.at({ ...thing(old), old })(`${kindOf(old)}-removed`, notes ? { notes, from } : { from });
  }
  const past = new Set(definitions.old.map((item) => definitions.pastNameOf?.(item)));
  for (const recent of added) {
    const report = comparison.at({ ...thing(recent), new: recent });
    report(`${kindOf(recent)}-added`, { to: text?.(recent) ?? "" });
    if (reused !== undefined && past.has(definitions.nameOf(recent))) report(reused);
    if (title !== undefined) compareSince(comparison, path(recent), title(recent), recent);
  }
  return pairs;
}

/** Something new says since when it is there: not since a revision that had none. */
export function compareSince(
  comparison: Comparison,
  path: string,
  name: string,
  { since, span }: Partial<Documented>,
): void {
  if (since === undefined || span === undefined) return;
  const { revision } = comparison.old;
  if (compareRevisions(since, revision) > 0) return;
  comparison.at({ path, name, new: { span } })("since-inconsistent", { from: revision, to: since }, "since");
}

/**
 * The changes to report beside a removal. Removing what was announced to stay longer is a change of its own: the text of
 * `deprecated` names the revision in which a thing goes.
 */
export function compareSunset(
  comparison: Comparison,
  path: string,
  name: string,
  { deprecated, span }: Partial<Documented>,
  near?: Span,
): readonly string[] {
  const [from, to] = [comparison.old.revision, comparison.new.revision];
  if (deprecated === undefined) return [`It was not deprecated in ${from}.`];
  const announced = deprecated.match(/\b\d+\.\d+\.\d+\b/g)?.find((each) => compareRevisions(each, from) > 0);
  if (announced !== undefined && compareRevisions(to, announced) < 0)
    comparison.at({ path, name, old: span && { span }, near })(
      "removed-before-sunset",
      { from: announced, to },
      "deprecated",
    );
  return [`It was deprecated: ${normal(deprecated)}`];
}

/** A definition that stayed, perhaps under another name. */
interface Named<T> extends Pair<T> {
  readonly path: string;
  readonly name: string;
  /** As a phrase: "`Loan`", "the move …". */
  readonly title: string;
  readonly formerName: string;
  readonly renamed: SingleRuleId;
  readonly of?: string;
  readonly reaches?: readonly string[];
}

/** Compares what a definition is called, here and in generated code, and what is said of it. */
export function compareNamed<T extends Documented & { readonly names: Names; readonly renamedFrom?: string }>(
  comparison: Comparison,
  { renamed, formerName, title, ...thing }: Named<T>,
): void {
  const { path, name, old, new: recent } = thing;
  const isRenamed = formerName !== name;
  if (isRenamed) comparison.at(thing)(renamed, { from: formerName, to: name });
  else compareGeneratedNames(comparison, path, name, old, recent);
  compareDocumented(comparison, path, title, old, recent);
  comparePastName(comparison, path, title, old, recent, isRenamed);
}

/** The names that a thing, which itself is called as before, has in generated code. */
export function compareGeneratedNames(
  comparison: Comparison,
  path: string,
  name: string,
  old: Located & { readonly names: Names },
  recent: Located & { readonly names: Names },
): void {
  const differ = (["type", "value", "file"] as const).find((kind) => old.names[kind] !== recent.names[kind]);
  if (differ === undefined) return;
  const [from, to] = [`\`${old.names[differ]}\``, `\`${recent.names[differ]}\``];
  comparison.at({ path, name, old, new: recent })("generated-name-changed", { from, to });
}

/** How a past name is remembered. */
export function comparePastName(
  comparison: Comparison,
  path: string,
  name: string,
  old: Located & { readonly renamedFrom?: string },
  recent: Located & { readonly renamedFrom?: string },
  wasRenamed: boolean,
): void {
  const [from = "nothing", to = "nothing"] = [old.renamedFrom, recent.renamedFrom];
  if (wasRenamed || from === to) return;
  comparison.at({ path, name, old, new: recent })("renamed-from-changed", { from, to }, "renamedFrom");
}

/**
 * The members of every documented thing: text, section, decisions, since, until when. Receivers of events
 * are concerned where it is part of one.
 */
export function compareDocumented(
  comparison: Comparison,
  path: string,
  name: string,
  old: Documented,
  recent: Documented,
  isOfEvent = path.startsWith("events/"),
): void {
  const report = comparison.at({ path, name, old, new: recent });
  const [from, to] = old.doc === recent.doc ? ["", ""] : [normal(old.doc), normal(recent.doc)];
  if (from !== to) {
    const isTrial = /^(?:resources|scenarios)\//.test(path);
    const without = isOfEvent ? [] : (["receivers"] as const);
    report(
      isTrial ? "doc-changed" : docRule(from, to),
      { from: quoted(from), to: quoted(to), without },
      "doc",
    );
  }
  differs(report, "section-changed", old.section ?? "none", recent.section ?? "none", "section");
  const [before, now] = [old, recent].map(({ decisions }) => codeList(decisions.toSorted()));
  differs(report, "decisions-changed", before ?? "", now ?? "", "decision");
  differs(report, "since-changed", old.since ?? "", recent.since ?? "", "since");
  const came = recent.deprecated === undefined ? "deprecated-removed" : "deprecated-changed";
  const rule = old.deprecated === undefined ? "deprecated-added" : came;
  differs(report, rule, old.deprecated ?? "", recent.deprecated ?? "", "deprecated");
}

/** Reports a change from one text to another, where they differ. */
export function differs(
  report: Report,
  rule: SingleRuleId,
  from: string,
  to: string,
  ...keys: readonly string[]
): void {
  if (from !== to) report(rule, { from, to }, ...keys);
}

function docRule(from: string, to: string): SingleRuleId {
  if (figuresOf(from) !== figuresOf(to)) return "doc-figures-changed";
  return saysMore(from, to) ? "doc-rule-added" : "doc-changed";
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
