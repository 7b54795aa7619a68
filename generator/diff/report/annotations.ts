import { placeOf, sentence, type DiffReport, type ReportedChange } from "./reported-diff.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import type { Span } from "../../language/source/index.ts";
import { ruleOf } from "../rules/index.ts";
import { worst } from "../rules/rule.ts";

const commands = { breaking: "error", warning: "warning", info: "notice" } as const;

/** Workflow commands that GitHub shows beside the lines of a pull request. What is gone is shown where it was part of. */
export function renderGithub(report: DiffReport): string {
  const { specs, prefix = "" } = report;
  return specs.flatMap(({ changes }) => changes.map((change) => command(change, prefix))).join("\n");
}

function command(change: ReportedChange, prefix: string): string {
  const { severity, exception, rule } = change;
  const level = exception === undefined ? commands[severity] : "notice";
  const accepted = exception === undefined ? [] : [`accepted: ${exception}`];
  const message = [messageOf(change), ...accepted].join("\n");
  const properties = [...placeProperties(change, prefix), `title=${property(rule)}`];
  return `::${level} ${properties.join(",")}::${data(message)}`;
}

function messageOf({ path, summary, impacts }: ReportedChange): string {
  const consequences = impacts.map(
    ({ party, severity, consequence }) => `${party} (${severity}): ${consequence}`,
  );
  return [`${path}: ${sentence(summary)}`, ...consequences].join("\n");
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

const levels = { breaking: "error", warning: "warning", info: "note" } as const;

/** SARIF 2.1.0, for code scanning. Accepted changes are suppressed with their reason. */
export function sarif(report: DiffReport, toolVersion: string): object {
  const { specs, prefix = "" } = report;
  const changes = specs.flatMap((spec) => spec.changes);
  const ids = [...new Set(changes.map(({ rule }) => rule))].toSorted();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "ledger-rpc", version: toolVersion, rules: ids.map(ruleObject) } },
        columnKind: "utf16CodeUnits",
        results: changes.map((change) => result(change, ids.indexOf(change.rule), prefix)),
      },
    ],
  };
}

function ruleObject(id: string): object {
  const { why, todo, effects } = ruleOf(id);
  const found = Object.values(effects).map(({ severity }) => severity);
  return {
    id,
    shortDescription: { text: id.replaceAll("-", " ") },
    fullDescription: { text: why },
    help: { text: `${why} ${todo}`, markdown: `${why}\n\n${todo}` },
    defaultConfiguration: { level: levels[worst(found)] },
  };
}

function result(change: ReportedChange, ruleIndex: number, prefix: string): object {
  const { rule, severity, path, fingerprint, exception, old, new: recent, near } = change;
  const here = recent ?? near ?? old;
  const before =
    old === undefined || old === here
      ? []
      : [{ ...location(old, prefix), id: 1, message: { text: "It was here." } }];
  return omitUndefined({
    ruleId: rule,
    ruleIndex,
    level: levels[severity],
    message: { text: messageOf(change) },
    locations:
      here === undefined
        ? []
        : [{ ...location(here, prefix), logicalLocations: [{ fullyQualifiedName: path }] }],
    relatedLocations: before.length === 0 ? undefined : before,
    partialFingerprints: { "ledgerRpcChange/v1": fingerprint },
    suppressions: exception === undefined ? undefined : [{ kind: "external", justification: exception }],
  });
}

function location(span: Span, prefix: string): { readonly physicalLocation: object } {
  const { path, start, end } = placeOf(span);
  return {
    physicalLocation: {
      artifactLocation: { uri: (prefix + path).split("/").map(encodeURIComponent).join("/") },
      region: { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column },
    },
  };
}
