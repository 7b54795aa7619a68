import type { RunReport } from "../run/run.ts";
import { countsOf } from "./summary.ts";

/**
 * A report as one page that needs nothing else: what holds and what does not, by operation and by section; failures with
 * their requests to copy; when each case ran. Works from disk, under a strict policy, and without a mouse.
 */
export function htmlReport(report: RunReport): string {
  const data = JSON.stringify(report).replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028");
  const { passed, failed, skipped, broken } = countsOf(report.outcomes);
  const title = `${report.title} ${report.revision}: conformance`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${style}</style>
<header>
<h1>${escaped(title)}</h1>
<p>${escaped(report.baseUrl)}, level <b>${report.level}</b>, seed ${report.seed}, ${(report.elapsedMs / 1000).toFixed(1)} s</p>
<p><b class="passed">${passed} passed</b> <b class="failed">${failed} failed</b> <b class="skipped">${skipped} skipped</b>${broken === 0 ? "" : ` <b class="failed">${broken} broken</b>`}</p>
</header>
<main>
<form role="search" aria-label="Filter">
<input type="search" id="text" placeholder="operation, case, section, decision …" aria-label="Text to look for">
<fieldset><legend>Show</legend>
${["failed", "broken", "skipped", "passed"].map((status) => `<label><input type="checkbox" name="status" value="${status}"${status === "failed" || status === "broken" ? " checked" : ""}> ${status}</label>`).join("\n")}
</fieldset>
</form>
<section aria-labelledby="matrix-title"><h2 id="matrix-title">By operation</h2><div class="scroll"><table id="matrix"></table></div></section>
<section aria-labelledby="time-title"><h2 id="time-title">Timeline</h2><canvas id="timeline" height="120" role="img" aria-label="When each case ran, and how it came out"></canvas></section>
<section aria-labelledby="cases-title"><h2 id="cases-title">Cases <span id="count" aria-live="polite"></span></h2><ol id="cases"></ol></section>
</main>
<script type="application/json" id="report">${data}</script>
<script>${script}</script>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

const style = `
:root { color-scheme: light dark; --passed: #2e7d32; --failed: #c62828; --skipped: #8a6d00; --line: #8884; font: 15px/1.5 system-ui, sans-serif }
@media (prefers-color-scheme: dark) { :root { --passed: #81c784; --failed: #ef9a9a; --skipped: #ffd54f } }
body { margin: 0 auto; max-width: 72rem; padding: 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin-top: 2rem }
.passed { color: var(--passed) } .failed, .broken { color: var(--failed) } .skipped { color: var(--skipped) }
header b { margin-right: 1rem }
form { display: flex; flex-wrap: wrap; gap: 1rem; align-items: end; position: sticky; top: 0; background: Canvas; padding: .5rem 0; z-index: 1 }
input[type=search] { flex: 1 1 20rem; font: inherit; padding: .4rem }
fieldset { border: 0; padding: 0; margin: 0; display: flex; gap: .8rem } legend { float: left; margin-right: .5rem }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { text-align: right; padding: .2rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap }
th:first-child, td:first-child { text-align: left }
td button { all: unset; cursor: pointer; text-decoration: underline dotted } td button:focus-visible, summary:focus-visible, .copy:focus-visible { outline: 2px solid Highlight }
canvas { width: 100%; height: 120px; border: 1px solid var(--line) }
ol { list-style: none; padding: 0 } li { border-bottom: 1px solid var(--line) }
summary { cursor: pointer; padding: .3rem 0; overflow-wrap: anywhere }
summary small { opacity: .75 }
pre { background: #8881; padding: .6rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; position: relative }
.copy { position: absolute; right: .4rem; top: .4rem; font: inherit }
dt { font-weight: 600 } dd { margin: 0 0 .4rem 1rem; overflow-wrap: anywhere }
`;

const script = `
"use strict";
const report = JSON.parse(document.getElementById("report").textContent);
const colors = { passed: "--passed", failed: "--failed", broken: "--failed", skipped: "--skipped" };
const element = (tag, text, attributes = {}) => {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};
const searched = (o) => [o.id, o.method, o.title, o.level, o.rule, o.reason, ...o.origin, ...o.findings.flatMap((f) => [f.expected, f.found])].join(" ").toLowerCase();
const texts = new Map(report.outcomes.map((o) => [o, searched(o)]));
const text = document.getElementById("text");
const boxes = [...document.querySelectorAll("[name=status]")];
const shownMax = 500;
function selected() {
  const statuses = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
  const words = text.value.toLowerCase().split(/\\s+/).filter(Boolean);
  return report.outcomes.filter((o) => statuses.has(o.status) && words.every((word) => texts.get(o).includes(word)));
}
function preformatted(content) {
  const pre = element("pre");
  const copy = element("button", "copy", { class: "copy", type: "button" });
  copy.addEventListener("click", async () => { await navigator.clipboard.writeText(content); copy.textContent = "copied"; });
  pre.append(copy, content);
  return pre;
}
function details(o) {
  const box = element("details");
  const summary = element("summary");
  summary.append(element("b", o.status, { class: o.status }), " " + o.id + " ", element("small", o.origin.map((x) => /^\\d/.test(x) ? "section " + x : x).join(", ")));
  box.append(summary);
  box.addEventListener("toggle", () => {
    if (box.children.length > 1) return;
    box.append(element("p", o.title + (o.reason ? ": " + o.reason : "") + " (" + o.elapsedMs.toFixed(1) + " ms)"));
    const list = element("dl");
    for (const f of o.findings) list.append(element("dt", "expected " + f.expected + (f.origin ? " (" + f.origin.join(", ") + ")" : "")), element("dd", "found " + f.found));
    box.append(list);
    for (const e of o.exchanges) box.append(preformatted(e.curl), element("pre", e.answer));
  });
  return box;
}
function showCases() {
  const found = selected();
  document.getElementById("count").textContent = "(" + found.length + (found.length > shownMax ? ", the first " + shownMax + " shown" : "") + ")";
  document.getElementById("cases").replaceChildren(...found.slice(0, shownMax).map((o) => { const item = element("li"); item.append(details(o)); return item; }));
}
function showMatrix() {
  const statuses = ["passed", "failed", "skipped", "broken"];
  const head = element("tr");
  head.append(element("th", "operation"), ...statuses.map((s) => element("th", s)), element("th", "slowest"));
  const methods = [...new Set(report.outcomes.map((o) => o.method))];
  const rows = methods.map((method) => {
    const own = report.outcomes.filter((o) => o.method === method);
    const row = element("tr");
    const cell = element("td");
    const button = element("button", method, { type: "button" });
    button.addEventListener("click", () => { text.value = method; showCases(); text.focus(); });
    cell.append(button);
    row.append(cell, ...statuses.map((s) => { const count = own.filter((o) => o.status === s).length; return element("td", count === 0 ? "" : String(count), { class: s }); }), element("td", Math.max(...own.map((o) => o.elapsedMs)).toFixed(0) + " ms"));
    return row;
  });
  document.getElementById("matrix").append(head, ...rows);
}
function showTimeline() {
  const canvas = document.getElementById("timeline");
  canvas.width = canvas.clientWidth * devicePixelRatio;
  canvas.height = 120 * devicePixelRatio;
  const pen = canvas.getContext("2d");
  const styles = getComputedStyle(document.documentElement);
  const lanes = [];
  const scale = canvas.width / report.elapsedMs;
  for (const o of report.outcomes.toSorted((a, b) => a.startedMs - b.startedMs)) {
    let lane = lanes.findIndex((end) => end <= o.startedMs);
    if (lane < 0) lane = lanes.push(0) - 1;
    lanes[lane] = o.startedMs + o.elapsedMs;
    o.lane = lane;
  }
  const height = canvas.height / Math.max(1, lanes.length);
  for (const status of ["passed", "skipped", "broken", "failed"]) {
    pen.fillStyle = styles.getPropertyValue(colors[status]);
    for (const o of report.outcomes) if (o.status === status) pen.fillRect(o.startedMs * scale, o.lane * height, Math.max(1, o.elapsedMs * scale), Math.max(1, height - 1));
  }
}
text.addEventListener("input", showCases);
for (const box of boxes) box.addEventListener("change", showCases);
document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
if (!report.outcomes.some((o) => o.status === "failed")) for (const box of boxes) box.checked = true;
showMatrix(); showTimeline(); showCases();
`;
