import { parties, severities, type Party, type Severity } from "../rules/rule.ts";
import { countsByParty } from "./json.ts";
import { positionOf } from "./places.ts";
import type { DiffReport, ReportedChange, SpecDiff } from "./reported-diff.ts";
import { reachedText, sentence, versionText } from "./wording.ts";
import { markdownText } from "../../print/markdown.ts";

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
