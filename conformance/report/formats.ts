import type { RunReport } from "../runner/run.ts";
import type { Outcome } from "../session/outcome.ts";
import { allOutcomes, byMethod, countsOf, verdictOn } from "./summary.ts";
import { originText } from "./text.ts";

/** A report as JSON: how many came out how, and everything else of it. `format` changes where a reader has to. */
export function jsonReport(report: RunReport): string {
  return JSON.stringify(
    { format: 1, verdict: verdictOn(report), counts: countsOf(allOutcomes(report)), ...report },
    null,
    2,
  );
}

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

const characterWidth = 6.6;

/** A badge as SVG: the interface, its revision, and what share of the cases passed. */
export function badgeReport(report: RunReport): string {
  const { passed, failed, broken } = countsOf(allOutcomes(report));
  const tried = passed + failed + broken;
  const label = `${report.name} ${report.revision}`;
  const share = tried === 0 ? 0 : Math.floor((passed / tried) * 1000) / 10;
  const conforms = verdictOn(report).kind === "conforms";
  const value = conforms ? `conforms (${report.level})` : `${share} % of ${report.level}`;
  const color = conforms ? "#2e7d32" : share >= 95 ? "#b26a00" : "#c62828";
  const left = widthOf(label);
  const right = widthOf(value);
  const text = (x: number, content: string): string =>
    `<text x="${x.toFixed(1)}" y="14" fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,sans-serif" font-size="11">${svgText(content)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${svgText(`${label}: ${value}`)}">`,
    `<title>${svgText(`${label}: ${value}`)}</title>`,
    `<rect width="${left}" height="20" rx="3" fill="#444"/>`,
    `<rect x="${left}" width="${right}" height="20" rx="3" fill="${color}"/>`,
    text(left / 2, label),
    text(left + right / 2, value),
    "</svg>",
    "",
  ].join("\n");
}

function widthOf(text: string): number {
  return Math.round(text.length * characterWidth + 12);
}

function svgText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
