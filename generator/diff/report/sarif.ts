import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import type { Span } from "../../language/source/index.ts";
import { ruleOf } from "../rules/index.ts";
import { worst } from "../rules/rule.ts";
import { placeOf } from "./places.ts";
import type { DiffReport, ReportedChange } from "./reported-diff.ts";
import { sentence } from "./wording.ts";

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
  const { rule, severity, path, summary, impacts, fingerprint, exception, old, new: recent, near } = change;
  const consequences = impacts.map(
    ({ party, severity: own, consequence }) => `${party} (${own}): ${consequence}`,
  );
  const here = recent ?? near ?? old;
  const before =
    old === undefined || old === here
      ? []
      : [{ ...location(old, prefix), id: 1, message: { text: "It was here." } }];
  return omitUndefined({
    ruleId: rule,
    ruleIndex,
    level: levels[severity],
    message: { text: [`${path}: ${sentence(summary)}`, ...consequences].join("\n") },
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
