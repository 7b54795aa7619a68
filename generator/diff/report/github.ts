import { placeOf } from "./places.ts";
import type { DiffReport, ReportedChange } from "./reported-diff.ts";
import { sentence } from "./wording.ts";

const levels = { breaking: "error", warning: "warning", info: "notice" } as const;

/** Workflow commands that GitHub shows beside the lines of a pull request. What is gone is shown where it was part of. */
export function renderGithub(report: DiffReport): string {
  const { specs, prefix = "" } = report;
  return specs.flatMap(({ changes }) => changes.map((change) => command(change, prefix))).join("\n");
}

function command(change: ReportedChange, prefix: string): string {
  const { severity, exception, rule, path, summary, impacts } = change;
  const level = exception === undefined ? levels[severity] : "notice";
  const consequences = impacts.map(
    ({ party, severity: own, consequence }) => `${party} (${own}): ${consequence}`,
  );
  const accepted = exception === undefined ? [] : [`accepted: ${exception}`];
  const message = [`${path}: ${sentence(summary)}`, ...consequences, ...accepted].join("\n");
  const properties = [...placeProperties(change, prefix), `title=${property(rule)}`];
  return `::${level} ${properties.join(",")}::${data(message)}`;
}

function placeProperties({ new: recent, near, old }: ReportedChange, prefix: string): readonly string[] {
  const span = recent ?? near ?? old;
  if (span === undefined) return [];
  const { path, start, end } = placeOf(span);
  const columns = start.line === end.line ? [`col=${start.column}`, `endColumn=${end.column}`] : [];
  return [`file=${property(prefix + path)}`, `line=${start.line}`, `endLine=${end.line}`, ...columns];
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
