import { parties, severities, worst, type Party, type Severity } from "../rules/rule.ts";
import { countsByParty } from "./json.ts";
import {
  positionOf,
  reachedText,
  sentence,
  versionText,
  type DiffReport,
  type ReportedChange,
  type SpecDiff,
} from "./reported-diff.ts";
import { markdownText } from "../../print/markdown.ts";
import type { Change } from "../rules/change.ts";

/** For a pull request: a table of counts, then each change once, the hardest first. */
export function renderMarkdown(report: DiffReport): string {
  return report.specs.map(specText).join("\n\n");
}

const titles: Readonly<Record<Severity, string>> = {
  breaking: "Breaking",
  warning: "Warnings",
  info: "For information",
};

const names: Readonly<Record<Party, string>> = {
  callers: "Callers",
  implementers: "Implementers",
  receivers: "Receivers",
};

function specText(spec: SpecDiff): string {
  const { interfaceName, old, new: recent, changes } = spec;
  const head = `## ${interfaceName}: \`${old.label}\` (${old.revision}) → \`${recent.label}\` (${recent.revision})`;
  if (changes.length === 0) return `${head}\n\nNo changes.`;
  const sections = severities.toReversed().flatMap((severity) => {
    const found = changes.filter((change) => change.severity === severity);
    return found.length === 0 ? [] : [`### ${titles[severity]}`, found.map(changeText).join("\n")];
  });
  return [head, countsTable(spec), versionText(spec), ...sections, ...handlersText(spec)].join("\n\n");
}

function handlersText({ handlers = [] }: SpecDiff): readonly string[] {
  if (handlers.length === 0) return [];
  const lines = handlers.map(({ file, rules }) => `- \`${file}\`: ${rules.join(", ")}`);
  return ["### Handlers to look at", lines.join("\n")];
}

function countsTable({ changes }: SpecDiff): string {
  const counts = countsByParty(changes);
  const rows = parties.map((party) => {
    const { breaking, warning, info } = counts[party];
    return `| ${names[party]} | ${breaking} | ${warning} | ${info} |`;
  });
  return ["| | breaking | warning | info |", "| --- | ---: | ---: | ---: |", ...rows].join("\n");
}

function changeText(change: ReportedChange): string {
  const { rule, path, summary, impacts, notes, exception, old, new: recent, near, fingerprint } = change;
  const reached = reachedText(change);
  const places = [
    old && `was ${positionOf(old)}`,
    recent && `now ${positionOf(recent)}`,
    near && `near ${positionOf(near)}`,
  ];
  return [
    `- **${rule}** \`${path}\`: ${markdownText(sentence(summary))}`,
    ...impacts.map(
      ({ party, severity, consequence }) => `  - ${names[party]} (${severity}): ${markdownText(consequence)}`,
    ),
    ...(reached === undefined ? [] : [`  - ${reached}`]),
    ...notes.map((note) => `  - ${markdownText(note)}`),
    ...(exception === undefined ? [] : [`  - Accepted: ${markdownText(exception)}`]),
    `  - ${[...places.filter((place) => place !== undefined), `fingerprint \`${fingerprint}\``].join("; ")}`,
  ].join("\n");
}

/** The entry for the client's changelog: what callers and receivers notice, in the order of how much. */
export function renderChangelog(specs: readonly SpecDiff[]): string {
  return specs.map(entryText).join("\n\n");
}

interface Entry {
  readonly text: string;
  readonly section: string;
}

const order = ["Breaking", "Added", "Changed", "Deprecated"];

function entryText({ interfaceName, version, new: recent, changes }: SpecDiff): string {
  const head = `## ${interfaceName} ${version.to}\n\nFor revision ${recent.revision} of the interface.`;
  return `${head}\n\n${changelogText(changes)}`;
}

/** The text of an entry below its heading. */
export function changelogText(changes: readonly Change[]): string {
  const entries = merged(changes.filter(isNoticed));
  const sections = order.flatMap((section) => {
    const found = entries.filter((entry) => entry.section === section);
    return found.length === 0 ? [] : [`### ${section}`, found.map(({ text }) => `- ${text}`).join("\n")];
  });
  return sections.length === 0 ? "Nothing that callers or receivers would notice." : sections.join("\n\n");
}

/** Whether a change gets a line: not if it raises no more than the last number of the version. */
function isNoticed({ bump, rule, impacts }: Change): boolean {
  const isOutside = impacts.some(({ party }) => party !== "implementers");
  return isOutside && (bump !== "patch" || rule.startsWith("deprecated-"));
}

/** A type that travels several ways changes in several directions: that is said once, with all that follows. */
function merged(changes: readonly Change[]): readonly Entry[] {
  const groups = Map.groupBy(changes, ({ path, summary }) => `${path}\n${summary}`);
  return [...groups.values()].flatMap((group): readonly Entry[] => {
    const [first] = group;
    if (first === undefined) return [];
    const outside = group.flatMap(({ impacts }) => impacts.filter(({ party }) => party !== "implementers"));
    const severity = worst(outside.map((impact) => impact.severity));
    const heavy = outside.filter((impact) => impact.severity === severity);
    const consequences = [...new Set(heavy.map(({ consequence }) => consequence))];
    return [
      {
        section: sectionOf(first, severity),
        text: markdownText([sentence(first.summary), ...consequences].join(" ")),
      },
    ];
  });
}

function sectionOf({ rule }: Change, severity: Severity): string {
  if (severity === "breaking") return "Breaking";
  if (rule.startsWith("deprecated-")) return "Deprecated";
  return /-added(-|$)/.test(rule) ? "Added" : "Changed";
}
