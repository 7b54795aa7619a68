import { markdownText } from "../../print/markdown.ts";
import { reachedText, sentence, type ReportedChange, type SpecDiff } from "../report/reported-diff.ts";
import type { Party } from "../rules/rule.ts";
import { demonstrate, type Demonstration } from "./demonstrate.ts";
import type { Revisions } from "./sample.ts";

/** Inputs of a note. The models are absent where the interface as a whole came or went. */
export interface MigratedSpec {
  readonly diff: SpecDiff;
  readonly revisions?: Revisions;
}

/** A note for those whom the changes break: each with what to do, and what goes over the wire before and after. */
export function renderMigration(specs: readonly MigratedSpec[]): string {
  return specs.map(noteText).join("\n\n");
}

function noteText({ diff, revisions }: MigratedSpec): string {
  const { interfaceName, old, new: recent, version, changes } = diff;
  const head = `# ${interfaceName}: from ${old.revision} to ${recent.revision}`;
  const outside = changes.filter((change) => breaks(change, "callers") || breaks(change, "receivers"));
  const inside = changes.filter((change) => breaks(change, "implementers"));
  if (outside.length + inside.length === 0) return `${head}\n\nNothing breaks: there is nothing to do.`;
  const parts = outside.map((change) => changeText(change, revisions));
  const handlers = inside.map(handlerText).join("\n");
  return [
    head,
    `The client goes from ${version.from} to ${version.to}.`,
    ...(parts.length === 0 ? [] : ["## Callers and receivers", ...parts]),
    ...(inside.length === 0 ? [] : ["## Handlers", handlers]),
  ].join("\n\n");
}

function breaks({ impacts }: ReportedChange, party: Party): boolean {
  return impacts.some((impact) => impact.party === party && impact.severity === "breaking");
}

function changeText(change: ReportedChange, revisions: Revisions | undefined): string {
  const { summary, path, impacts, notes } = change;
  const consequences = impacts.filter(
    ({ party, severity }) => party !== "implementers" && severity === "breaking",
  );
  const reached = reachedText(change);
  const shown = revisions === undefined ? undefined : demonstrate(revisions, change);
  const text = [
    sentence(summary),
    ...consequences.map(({ consequence }) => consequence),
    ...notes,
    ...(reached === undefined ? [] : [reached]),
  ];
  return [
    `### ${markdownText(path)}`,
    markdownText(text.join(" ")),
    ...(shown === undefined ? [] : demonstrationText(shown)),
  ].join("\n\n");
}

function demonstrationText({ what, before, after }: Demonstration): readonly string[] {
  if (before !== undefined && before === after)
    return [`${what}, which looks the same before and after:`, block(before)];
  return [
    ...(before === undefined ? [] : [`${what} before:`, block(before)]),
    after === undefined ? `After: nothing takes its place.` : `${what} after:`,
    ...(after === undefined ? [] : [block(after)]),
  ];
}

function block(text: string): string {
  return `\`\`\`json\n${text}\n\`\`\``;
}

function handlerText(change: ReportedChange): string {
  const { path, summary, impacts } = change;
  const own = impacts.find(({ party }) => party === "implementers")?.consequence ?? "";
  return `- \`${path}\`: ${markdownText(`${sentence(summary)} ${own}`)}`;
}
