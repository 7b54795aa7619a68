import { readFileSync } from "node:fs";
import { join } from "node:path";
import { curlPreparation } from "../request/curl.ts";
import type { RunReport } from "../runner/run.ts";
import {
  allOutcomes,
  caseKindOf,
  caseKinds,
  causesOf,
  commandsOf,
  type Counts,
  countsOf,
  verdictOn,
} from "./summary.ts";

const folder = join(import.meta.dirname, "page");
/** The colours of all pages of the project. */
const tokensFile = join(import.meta.dirname, "../../web/shared/tokens.css");

/**
 * A report as one page without other files. Failures come first with their requests, then a matrix of operations and
 * kinds of rules, and a timeline. Works from disk, without network, by keyboard, in the dark. It contains no secrets:
 * requests use shell variables.
 */
export function htmlReport(report: RunReport): string {
  const all = allOutcomes(report);
  const counts = countsOf(all);
  const title = `${report.title} ${report.revision}: conformance`;
  const shown = {
    ...report,
    kinds: caseKinds,
    preparation: curlPreparation("access.json", commandsOf(all), report.messageSignatures),
    causes: causesOf(all.filter(({ status }) => status === "failed")).map(({ expected, outcomes }) => ({
      expected,
      ids: outcomes.map(({ id }) => id),
    })),
    outcomes: all.map((outcome) => ({ ...outcome, kind: caseKindOf(outcome) })),
  };
  const cases = casesSection(counts, shown.preparation !== "");
  const isBad = counts.failed + counts.broken > 0;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>
${readFileSync(tokensFile, "utf8")}${asset("page.css")}</style>
</head>
<body>
<a class="skip" href="#cases-title">To the cases</a>
${header(report, counts)}
<main>
${isBad ? cases : ""}
<section aria-labelledby="matrix-title" class="card">
<h2 id="matrix-title">Operations and rules</h2>
<p class="hint">Each cell is one operation and one kind of rule: how many cases hold, or how many do not. Choose one to see its cases.</p>
<div class="scroll"><table id="matrix"></table></div>
</section>
<section aria-labelledby="time-title" class="card">
<h2 id="time-title">Timeline</h2>
<p class="hint" id="time-hint">Every case from its start to its end, by what ran at once. The slowest are named below.</p>
<div class="timeline"><canvas id="timeline" role="img" aria-label="When each case ran and how it came out" aria-describedby="slowest"></canvas><output id="tip" hidden></output></div>
<ol id="slowest" class="slowest"></ol>
</section>
<section aria-labelledby="requirements-title" class="card" id="requirements" hidden>
<h2 id="requirements-title">Requirements <small id="requirement-counts"></small></h2>
<p class="hint">The sentences that bind, each with the cases that try it.</p>
<details><summary>All sentences</summary><div class="scroll"><table id="requirement-table"></table></div></details>
</section>
${isBad ? "" : cases}
</main>
<footer>Seed ${report.seed}. The same seed gives the same order and the same values.</footer>
<script type="application/json" id="report">${inScript(shown)}</script>
<script type="module">
${asset("page.js")}</script>
</body>
</html>
`;
}

function header(report: RunReport, counts: Counts): string {
  return `<header class="head ${verdictOn(report).kind === "conforms" ? "good" : "bad"}">
<div>
<p class="over">Conformance to ${escaped(report.title)} ${escaped(report.revision)}</p>
<h1>${escaped(headline(report, counts))}</h1>
<dl class="facts">${facts(report)
    .map(([name, value]) => `<div><dt>${name}</dt><dd>${escaped(value)}</dd></div>`)
    .join("")}</dl>
</div>
${ring(counts)}
<button id="theme" type="button" class="quiet">Dark or light</button>
</header>`;
}

/** The filter, and the room that the script fills with the cases. */
function casesSection(counts: Counts, needsPreparation: boolean): string {
  return `<section aria-labelledby="cases-title" class="card" id="cases-section">
<h2 id="cases-title" tabindex="-1">Cases <small id="count" role="status"></small></h2>
<form role="search" aria-label="Choose cases" class="filter">
<input type="search" id="text" placeholder="operation, field, section, decision, text …" aria-label="Words to look for">
<fieldset><legend class="unseen">Verdicts</legend>
${(["failed", "broken", "skipped", "passed"] as const)
  .filter((status) => status !== "broken" || counts.broken > 0)
  .map(
    (status) =>
      `<label class="chip ${status}"><input type="checkbox" name="status" value="${status}"><span>${status} <b>${counts[status]}</b></span></label>`,
  )
  .join("\n")}
</fieldset>
<label>Level <select id="level"><option value="">any</option></select></label>
<label>Operation <select id="operation"><option value="">any</option></select></label>
<label>Rule <select id="kind"><option value="">any</option></select></label>
<button type="reset" class="quiet">Clear</button>
</form>
<ul id="causes" class="causes" aria-label="Failures by what was expected" hidden></ul>
<details class="preparation"${needsPreparation ? "" : " hidden"}><summary>Before pasting a request</summary><div id="preparation"></div></details>
<div id="cases"></div>
<button id="more" type="button" class="quiet" hidden>Show more</button>
<noscript><p>This page shows its cases by a script, which this browser does not run.</p></noscript>
</section>`;
}

function asset(name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

/** JSON that cannot end a script element. */
function inScript(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

function headline(report: RunReport, { passed, failed, broken }: Counts): string {
  const { kind } = verdictOn(report);
  if (kind === "untried") return "No verdict";
  if (kind === "conforms") return "Everything that was tried holds";
  const tried = passed + failed + broken;
  if (failed + broken === 0) return `No case counts for ${report.uncounted.join(", ")}`;
  if (failed === 0) return `${broken} cases of the suite are broken`;
  return `${failed} of ${tried} cases ${failed === 1 ? "fails" : "fail"}`;
}

function facts(report: RunReport): readonly (readonly [string, string])[] {
  return [
    ["Service", report.baseUrl],
    ["Level", report.level],
    ["Started", `${report.startedAt.slice(0, 19).replace("T", " ")} UTC`],
    ["Took", `${(report.elapsedMs / 1000).toFixed(1)} s`],
    ["Seed", String(report.seed)],
  ];
}

const ringRadius = 52;

/** The verdicts as parts of a ring, as SVG. */
function ring(counts: Counts): string {
  const total = Math.max(1, counts.passed + counts.failed + counts.skipped + counts.broken);
  const length = 2 * Math.PI * ringRadius;
  let from = 0;
  const arcs = (["passed", "failed", "broken", "skipped"] as const).flatMap((status) => {
    if (counts[status] === 0) return [];
    // A single failure among thousands is to be seen.
    const part = Math.max(counts[status] / total, 0.012) * length;
    const arc = `<circle class="${status}" cx="64" cy="64" r="${ringRadius}" stroke-dasharray="${part.toFixed(2)} ${length.toFixed(2)}" stroke-dashoffset="${(-from).toFixed(2)}"/>`;
    from += part;
    return arc;
  });
  const tried = counts.passed + counts.failed + counts.broken;
  const share = tried === 0 ? "–" : `${floored((counts.passed / tried) * 100)} %`;
  const words = (["passed", "failed", "skipped", "broken"] as const)
    .filter((status) => counts[status] > 0)
    .map((status) => `${counts[status]} ${status}`);
  return `<figure class="ring"><svg viewBox="0 0 128 128" width="128" height="128" role="img" aria-label="${words.join(", ")}">${arcs.join("")}<text x="64" y="71" text-anchor="middle">${share}</text></svg><figcaption>${words
    .map((word) => `<span class="${word.split(" ")[1]}">${word}</span>`)
    .join("")}</figcaption></figure>`;
}

/** 99.96 is not 100. */
function floored(percent: number): string {
  return percent === 100 ? "100" : (Math.floor(percent * 10) / 10).toFixed(1);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
