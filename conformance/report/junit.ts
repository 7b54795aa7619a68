import type { Outcome } from "../session/outcome.ts";
import type { RunReport } from "../runner/run.ts";
import { allOutcomes, byMethod, countsOf } from "./summary.ts";
import { originText } from "./text.ts";

/** A report as JUnit XML: a suite an operation, a test a case. */
export function junitReport(report: RunReport): string {
  const { failed, broken } = countsOf(allOutcomes(report));
  const uncounted = report.uncounted.map(uncountedXml);
  const name = `${report.name} ${report.revision} (${report.level})`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name=${attribute(name)} tests="${allOutcomes(report).length + uncounted.length}" failures="${failed + uncounted.length}" errors="${broken}" time="${seconds(report.elapsedMs)}">`,
    ...[...byMethod(report)].map(([method, outcomes]) => suiteXml(method, outcomes, report)),
    ...uncounted,
    "</testsuites>",
    "",
  ].join("\n");
}

/** An operation that nothing vouches for. */
function uncountedXml(method: string): string {
  const name = attribute(method);
  return `  <testsuite name=${name} tests="1" failures="1" errors="0" skipped="0" time="0.000"><testcase classname=${name} name="${content(method)}/counted" time="0.000"><failure type="uncounted" message="no case of it belongs to a requirement"/></testcase></testsuite>`;
}

function suiteXml(method: string, outcomes: readonly Outcome[], { startedAt, baseUrl }: RunReport): string {
  const { failed, broken, skipped } = countsOf(outcomes);
  const elapsedMs = outcomes.reduce((sum, outcome) => sum + outcome.elapsedMs, 0);
  return [
    `  <testsuite name=${attribute(method)} tests="${outcomes.length}" failures="${failed}" errors="${broken}" skipped="${skipped}" time="${seconds(elapsedMs)}" timestamp="${startedAt.slice(0, 19)}" hostname=${attribute(URL.parse(baseUrl)?.host ?? baseUrl)}>`,
    ...outcomes.map(caseXml),
    "  </testsuite>",
  ].join("\n");
}

function caseXml({
  id,
  method,
  title,
  origin,
  status,
  reason,
  findings,
  exchanges,
  replay,
  elapsedMs,
}: Outcome): string {
  const open = `    <testcase classname=${attribute(method)} name=${attribute(id)} time="${seconds(elapsedMs)}"`;
  if (status === "passed") return `${open}/>`;
  if (status === "skipped") return `${open}><skipped message=${attribute(reason ?? "")}/></testcase>`;
  if (status === "broken")
    return `${open}><error type="suite" message=${attribute(reason ?? "")}/></testcase>`;
  const [first] = findings;
  const text = [
    origin.length === 0 ? title : `${title}: ${originText(origin)}`,
    ...findings.flatMap(({ expected, found }) => [`expected ${expected}`, `found    ${found}`]),
    ...(replay === undefined ? [] : [`shown again by --replay ${replay}`]),
    ...exchanges.flatMap(({ curl, answer }) => ["", curl, "", answer]),
  ].join("\n");
  return `${open}><failure type=${attribute(first?.check ?? "conformance")} message=${attribute(`expected ${first?.expected ?? ""}`)}>${content(text)}</failure></testcase>`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function attribute(text: string): string {
  return `"${content(text)}"`;
}

/** Characters that XML 1.0 does not have are shown as a replacement character. */
function content(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
