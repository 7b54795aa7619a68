import { parties, severities, type Party, type Severity } from "../rules/rule.ts";
import {
  countsOf,
  positionOf,
  reachedText,
  sentence,
  versionText,
  type DiffReport,
  type ReportedChange,
  type SpecDiff,
} from "./reported-diff.ts";
import { createColors, type Colors } from "../../language/diagnostics/colors.ts";

/** For people at a terminal: by party, then severity; what breaks comes first. Without a line break at the end. */
export function renderTerminal(report: DiffReport, options: { readonly color?: boolean } = {}): string {
  const colors = createColors(options.color ?? false);
  return report.specs.map((spec) => specText(spec, colors)).join("\n\n");
}

const titles: Readonly<Record<Party, string>> = {
  callers: "Callers of the service",
  implementers: "Implementers of handlers",
  receivers: "Receivers of events",
};

function specText(spec: SpecDiff, colors: Colors): string {
  const { interfaceName, old, new: recent, changes } = spec;
  const revisions =
    old.revision === recent.revision ? recent.revision : `${old.revision} → ${recent.revision}`;
  const head = `${colors.bold(`${interfaceName} ${revisions}`)} ${colors.dim(`(${old.label} → ${recent.label})`)}`;
  if (changes.length === 0) return `${head}\nNo changes.`;
  const sections = parties.flatMap((party) => partyText(party, changes, colors));
  return [head, ...sections, ...handlersText(spec, colors), versionText(spec)].join("\n\n");
}

function handlersText({ handlers = [] }: SpecDiff, colors: Colors): readonly string[] {
  if (handlers.length === 0) return [];
  const lines = handlers.map(({ file, rules }) => `  ${file}: ${rules.join(", ")}`);
  return [[colors.bold(colors.underline("Handlers to look at")), ...lines].join("\n")];
}

function partyText(party: Party, changes: readonly ReportedChange[], colors: Colors): readonly string[] {
  const concerned = changes.filter(({ impacts }) => impacts.some((impact) => impact.party === party));
  if (concerned.length === 0) return [];
  const found = concerned.map((change) => ({ change, severity: severityFor(change, party) }));
  const counts = countsOf(found.map(({ severity }) => severity));
  const head = `${colors.bold(colors.underline(titles[party]))}: ${counts}`;
  const entries = severities
    .toReversed()
    .flatMap((severity) => found.filter((each) => each.severity === severity))
    .map(({ change, severity }) => entryText(change, party, severity, colors));
  return [[head, ...entries].join("\n\n")];
}

function severityFor({ impacts }: ReportedChange, party: Party): Severity {
  return impacts.find((impact) => impact.party === party)?.severity ?? "info";
}

function entryText(change: ReportedChange, party: Party, severity: Severity, colors: Colors): string {
  const { rule, path, summary, notes, exception, impacts } = change;
  const paint = { breaking: colors.red, warning: colors.yellow, info: colors.blue }[severity];
  const consequence = impacts.find((impact) => impact.party === party)?.consequence ?? "";
  const reached = reachedText(change);
  return [
    `${paint(severity)} ${colors.bold(rule)} ${path}`,
    `  ${sentence(summary)} ${consequence}`,
    ...(reached === undefined ? [] : [`  ${colors.dim(reached)}`]),
    ...notes.map((note) => `  ${note}`),
    ...(exception === undefined ? [] : [`  ${colors.green("accepted")}: ${exception}`]),
    `  ${colors.dim(placeText(change))}`,
  ].join("\n");
}

/** Where it stood, where it stands, and how to approve it. */
function placeText({ old, new: recent, near, fingerprint }: ReportedChange): string {
  const before = old === undefined ? undefined : `was ${positionOf(old)}`;
  const now = recent === undefined ? undefined : `now ${positionOf(recent)}`;
  const beside =
    recent === undefined && near !== undefined && old === undefined ? `near ${positionOf(near)}` : undefined;
  return [before, now, beside, fingerprint].filter((part) => part !== undefined).join(" · ");
}
