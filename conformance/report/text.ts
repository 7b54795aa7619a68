import { wordsOf } from "../response/read-response.ts";
import type { Progress } from "../runner/open-run.ts";
import type { RequirementVerdict } from "../runner/requirement-verdicts.ts";
import type { RunReport } from "../runner/run.ts";
import type { Outcome } from "../session/outcome.ts";
import { packedIds } from "../suite/packed-ids.ts";
import {
  allOutcomes,
  byMethod,
  type Cause,
  causesOf,
  type Counts,
  countsOf,
  reasonsOf,
  verdictOn,
  wasHopeless,
  withoutResults,
} from "./summary.ts";

/** The ways to emphasize text on a terminal. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

interface TextOptions {
  readonly paint: Paint;
  /** Failures to show with their requests; the others are only named. */
  readonly failuresMax: number;
}

/** A report for a terminal: failures first, then operation by operation, then what was not tried and why. */
export function textReport(report: RunReport, { paint, failuresMax }: TextOptions): string {
  const failures = allOutcomes(report).filter(({ status }) => status === "failed");
  const counts = countsOf(allOutcomes(report));
  const rest = failures.slice(failuresMax);
  return [
    ...failures.slice(0, failuresMax).map((failure) => failureText(failure, paint)),
    ...(rest.length === 0
      ? []
      : [
          paint.bold(`${rest.length} more failures, by what was expected:`),
          ...causesOf(rest).map((cause) => causeText(cause, paint)),
          "",
        ]),
    ...tableLines(report, paint),
    ...reasonLines(report, "skipped", paint.yellow("skipped")),
    ...reasonLines(report, "broken", paint.red("broken cases (a fault of the suite, not of the service)")),
    ...requirementLines(report, paint),
    ...unscoredLines(report, paint),
    ...uncountedLines(report, paint),
    "",
    `${report.title} ${report.revision} at ${report.baseUrl}, level ${report.level}, seed ${report.seed}`,
    paint.bold(summaryText(counts, paint)) + paint.dim(` in ${(report.elapsedMs / 1000).toFixed(1)} s`),
    verdictText(report, paint),
  ].join("\n");
}

function verdictText(report: RunReport, paint: Paint): string {
  const { kind, reasons } = verdictOn(report);
  if (kind === "conforms")
    return paint.green(`conforms at level ${report.level}`) + paint.yellow(untriedText(report));
  const words = kind === "fails" ? "does not conform" : "no verdict";
  return paint.red(`${words}: ${reasons.join("; ")}`);
}

/** Results of an operation, or most of the cases: a service that conforms need not have shown them. */
function untriedText(report: RunReport): string {
  const methods = withoutResults(report);
  const { passed, skipped } = countsOf(allOutcomes(report));
  const untried = [
    ...(skipped > passed ? [`${skipped} of ${passed + skipped} cases were skipped`] : []),
    ...(methods.length === 0
      ? []
      : [`no result of ${methods.join(", ")} was checked, only errors were answered`]),
  ];
  return untried.length === 0 ? "" : `, as far as it was tried: ${untried.join("; ")}`;
}

function causeText({ expected, outcomes: [first, ...others] }: Cause, paint: Paint): string {
  const more = others.length === 0 ? "" : paint.dim(` and ${others.length} more`);
  return `  ${paint.red(String(others.length + 1).padStart(5))}  ${expected}: ${first?.id ?? ""}${more}`;
}

function summaryText({ passed, failed, skipped, broken }: Counts, paint: Paint): string {
  return [
    paint.green(`${passed} passed`),
    ...(failed === 0 ? ["0 failed"] : [paint.red(`${failed} failed`)]),
    ...(skipped === 0 ? [] : [paint.yellow(`${skipped} skipped`)]),
    ...(broken === 0 ? [] : [paint.red(`${broken} broken`)]),
  ].join(", ");
}

/** The status and the body; of a page only its words. */
function answerText(answer: string): string {
  const [status = "", ...body] = answer.split("\n");
  return [status, ...(body.length === 0 ? [] : [wordsOf(body.join("\n"))])].join("\n");
}

function failureText({ id, title, origin, findings, exchanges, replay }: Outcome, paint: Paint): string {
  const found = findings.flatMap((finding) => {
    const more = (finding.origin ?? []).filter((each) => !origin.includes(each));
    const from = more.length === 0 ? "" : paint.dim(` (${originText(more)})`);
    return [`  expected ${finding.expected}${from}`, `  found    ${finding.found}`];
  });
  const wire = exchanges.flatMap(({ curl, answer }) => [
    ...curl.split("\n").map((line) => paint.dim(`    ${line}`)),
    ...answerText(answer)
      .slice(0, 2000)
      .split("\n")
      .map((line) => paint.dim(`    < ${line}`)),
  ]);
  const from = origin.length === 0 ? "" : paint.dim(` (${originText(origin)})`);
  const again = replay === undefined ? [] : [paint.dim(`  shown again by --replay ${replay}`)];
  return [
    `${paint.red("FAILED")} ${paint.bold(id)}`,
    `  ${title}${from}`,
    ...found,
    ...again,
    ...wire,
    "",
  ].join("\n");
}

/** `section 4.5, D-14`. */
export function originText(origin: readonly string[]): string {
  return origin.map((each) => (/^\d/.test(each) ? `section ${each}` : each)).join(", ");
}

function tableLines(report: RunReport, paint: Paint): readonly string[] {
  if (wasHopeless(report)) return [];
  const rows = [...byMethod(report)].map(([method, outcomes]) => ({ method, counts: countsOf(outcomes) }));
  const width = Math.max(9, ...rows.map(({ method }) => method.length));
  const cell = (count: number, color: (text: string) => string): string => {
    const text = String(count).padStart(8);
    return count === 0 ? paint.dim(text) : color(text);
  };
  return [
    paint.bold(`${"operation".padEnd(width)}   passed  failed skipped`),
    ...rows.map(
      ({ method, counts }) =>
        `${method.padEnd(width)} ${cell(counts.passed, paint.green)}${cell(counts.failed, paint.red)}${cell(counts.skipped, paint.yellow)}`,
    ),
  ];
}

function reasonLines(report: RunReport, status: "skipped" | "broken", title: string): readonly string[] {
  const reasons = reasonsOf(report.outcomes, status);
  if (reasons.size === 0) return [];
  return [
    "",
    `${title}:`,
    ...[...reasons].map(([reason, count]) => `  ${String(count).padStart(5)}  ${reason}`),
  ];
}

/** Sentence by sentence: what does not hold, and how many do. */
function requirementLines({ requirements }: RunReport, paint: Paint): readonly string[] {
  if (requirements.length === 0) return [];
  const of = (verdict: RequirementVerdict["verdict"]): readonly RequirementVerdict[] =>
    requirements.filter((requirement) => requirement.verdict === verdict);
  const broken = of("broken");
  const counts = [
    `${of("holds").length} hold`,
    `${broken.length} do not`,
    `${of("untried").length} were not tried`,
    `${of("untested").length} cannot be shown by a case`,
  ];
  return [
    "",
    `Of ${requirements.length} sentences that bind: ${counts.join(", ")}`,
    ...broken.map(
      ({ id, sentence, failed }) =>
        `  ${paint.red(id)} ${sentence} ${paint.dim(`(${failed.length} failed)`)}`,
    ),
  ];
}

const unscoredShown = 12;

function unscoredLines({ unscored }: RunReport, paint: Paint): readonly string[] {
  if (unscored.length === 0) return [];
  const failures = unscored.filter(({ status }) => status === "failed");
  return [
    "",
    "cases that belong to no requirement of this revision: put their ids into its requirements",
    ...packedIds(unscored.map(({ id }) => id))
      .slice(0, unscoredShown)
      .map((id) => paint.dim(`  ${id}`)),
    ...failures.map(({ id, findings }) => paint.red(`  failed ${id}: ${findings[0]?.expected ?? ""}`)),
  ];
}

function uncountedLines({ uncounted }: RunReport, paint: Paint): readonly string[] {
  if (uncounted.length === 0) return [];
  return [
    "",
    "operations of which no case belongs to a requirement, so that nothing vouches for them:",
    ...uncounted.map((name) => `  ${paint.red(name)}`),
  ];
}

interface ProgressOptions {
  readonly paint: Paint;
  /** Whether the output is a terminal, which can show a line that changes. */
  readonly isLive: boolean;
  /** Shows a line in place of the one before. */
  replace(line: string): void;
  /** Shows a line that stays. */
  append(line: string): void;
}

const barWidth = 20;
const liveMs = 100;
const plainParts = 5;

/** Says how far a run is: one live line on a terminal, else a few lines that stay. */
export function progressReporter(options: ProgressOptions): (progress: Progress) => void {
  const { paint, isLive } = options;
  const startedAt = performance.now();
  let shownAt = -Infinity;
  let shownPart = 0;
  return ({ done, total, failed, at }) => {
    const isEnd = done === total;
    const seconds = `${((performance.now() - startedAt) / 1000).toFixed(0)} s`;
    const failures = failed === 0 ? "0 failed" : paint.red(`${failed} failed`);
    if (isLive) {
      if (!isEnd && performance.now() - shownAt < liveMs) return;
      shownAt = performance.now();
      const full = Math.floor((done / total) * barWidth);
      const bar = paint.green("━".repeat(full)) + paint.dim("━".repeat(barWidth - full));
      options.replace(
        `${bar} ${done}/${total} · ${failures} · ${seconds} · ${paint.dim(at.split(".").at(-1) ?? at)}`,
      );
      return;
    }
    const part = Math.floor((done / total) * plainParts);
    if (part === shownPart) return;
    shownPart = part;
    options.append(`${done} of ${total} cases, ${failures}, ${seconds}`);
  };
}
