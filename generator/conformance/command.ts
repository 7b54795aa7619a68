import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readAccess, type Access } from "./access.ts";
import { loadSuite } from "./load-suite.ts";
import { badgeReport } from "./report/badge.ts";
import { againstBaseline, baselineOf, readBaseline, type BaselineVerdict } from "./report/baseline.ts";
import { htmlReport } from "./report/html.ts";
import { junitReport } from "./report/junit.ts";
import { countsOf } from "./report/summary.ts";
import { textReport, type Paint } from "./report/text.ts";
import { traceText } from "./report/trace.ts";
import { curlPreparation } from "./request/curl.ts";
import { conform, Unreachable, type RunReport } from "./run/run.ts";
import type { Level } from "./stated.ts";

/** What a person asks for on the command line. */
export interface ConformOptions {
  readonly access: string;
  readonly baseUrl?: string;
  readonly level: Level;
  readonly operation?: readonly string[];
  readonly seed?: number;
  readonly trace?: boolean;
  readonly json?: boolean;
  readonly junit?: string;
  readonly html?: string;
  readonly badge?: string;
  readonly baseline?: string;
  readonly updateBaseline?: boolean;
  readonly bail?: number;
  /** How many failures are shown with their requests. */
  readonly failures: number;
  readonly timeout: number;
  readonly concurrency: number;
  readonly errors: "ok" | "mapped";
  readonly operatorUrl?: string;
  readonly mail?: string;
  readonly callbackUrl?: string;
  readonly callbackPort: number;
}

/** Where a command prints. */
export interface Console {
  print(text: string): void;
  note(text: string): void;
  progress(text: string): void;
  readonly color: Paint;
}

/** 0: everything holds that was tried; 1: something does not; 2: nothing could be tried. */
export type ExitCode = 0 | 1 | 2;

/** Tries a service with the suite in a folder, and reports. */
export async function runConform(
  folder: string,
  options: ConformOptions,
  console: Console,
): Promise<ExitCode> {
  const accessFile = resolve(options.access);
  let report: RunReport;
  try {
    if (!existsSync(accessFile)) throw new Error(`there is no access file ${options.access}`);
    const access = readAccess(readFileSync(accessFile, "utf8"), options.access);
    report = await run(folder, options, access, accessFile, console);
    writeReports(report, options);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    console.progress("");
    console.note(`error: ${error instanceof Unreachable ? `cannot reach ${error.message}` : error.message}`);
    return 2;
  }
  console.progress("");
  if (options.json === true) console.print(JSON.stringify(report, null, 2));
  else console.print(textReport(report, { paint: console.color, failuresMax: options.failures }));
  return verdictOf(report, options, accessFile, console);
}

async function run(
  folder: string,
  options: ConformOptions,
  access: Access,
  accessFile: string,
  console: Console,
): Promise<RunReport> {
  const baseUrl = options.baseUrl ?? access.baseUrl;
  if (baseUrl === undefined || !URL.canParse(baseUrl))
    throw new Error("say with --base-url where the service is, such as http://127.0.0.1:8080");
  const { seed, operation, operatorUrl, bail } = options;
  return await conform({
    ...loadSuite(folder),
    access,
    baseUrl,
    level: options.level,
    concurrency: options.trace === true ? 1 : options.concurrency,
    timeoutMs: options.timeout,
    settings: { httpStatus: options.errors },
    mailFolder: options.mail ?? join(dirname(accessFile), "mail"),
    callback: {
      port: options.callbackPort,
      ...(options.callbackUrl === undefined ? {} : { url: options.callbackUrl }),
    },
    ...(operatorUrl === undefined ? {} : { operatorUrl }),
    ...(operation === undefined ? {} : { only: operation }),
    ...(seed === undefined ? {} : { seed }),
    ...(bail === undefined ? {} : { failuresMax: bail }),
    ...(options.trace === true
      ? { onExchange: (request, answer) => console.note(traceText(baseUrl, request, answer, access)) }
      : {}),
    onProgress: ({ done, total, failed }) => {
      if (done % 10 === 0 || done === total) console.progress(`${done} of ${total} cases, ${failed} failed`);
    },
  });
}

function writeReports(report: RunReport, { junit, html, badge }: ConformOptions): void {
  const write = (file: string | undefined, text: (report: RunReport) => string): void => {
    if (file === undefined) return;
    mkdirSync(dirname(resolve(file)), { recursive: true });
    writeFileSync(file, text(report));
  };
  write(junit, junitReport);
  write(html, htmlReport);
  write(badge, badgeReport);
}

function verdictOf(
  report: RunReport,
  options: ConformOptions,
  accessFile: string,
  console: Console,
): ExitCode {
  const { failed, broken } = countsOf(report.outcomes);
  if (options.baseline === undefined) {
    if (failed > 0 && options.json !== true)
      console.note(`\nBefore pasting a request:\n${curlPreparation(accessFile)}`);
    return failed + broken > 0 ? 1 : 0;
  }
  if (options.updateBaseline === true) {
    writeFileSync(options.baseline, baselineOf(report.outcomes));
    console.note(`wrote ${options.baseline}: ${failed} known failures`);
    return broken > 0 ? 1 : 0;
  }
  const baseline = readBaseline(readFileSync(options.baseline, "utf8"), options.baseline);
  const verdict = againstBaseline(report.outcomes, baseline, options.operation === undefined);
  for (const line of baselineLines(verdict)) console.note(line);
  return verdict.unexpected.length + verdict.stale.length + broken > 0 ? 1 : 0;
}

function baselineLines({ unexpected, known, stale }: BaselineVerdict): readonly string[] {
  return [
    `baseline: ${known.length} known failures, ${unexpected.length} unexpected, ${stale.length} that do not fail any more`,
    ...unexpected.map(({ id }) => `  unexpected ${id}`),
    ...stale.map((id) => `  passes now, take it off the list: ${id}`),
  ];
}
