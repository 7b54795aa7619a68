import type { Change } from "../rules/change.ts";
import { worst, type Severity } from "../rules/rule.ts";
import type { SpecDiff } from "./reported-diff.ts";
import { markdownText } from "../../print/markdown.ts";
import { sentence } from "./wording.ts";

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
