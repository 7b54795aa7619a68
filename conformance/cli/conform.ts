import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { omitUndefined } from "../base/omit-undefined.ts";
import { carrierOf, commandPrefix } from "../request/carrier.ts";
import { openStandardAccess, readStandardAccess } from "../request/standard-access.ts";
import {
  addressMistake,
  checkSamples,
  furtherAccess,
  openAccess,
  operatorAccess,
  type Access,
} from "../request/access.ts";
import { openCapabilities } from "../session/capabilities.ts";
import type { JsonRpcEntry } from "../suite/json-rpc.ts";
import { type LoadedSuite, loadSuite, sampleNames } from "../cases/all-cases.ts";
import { badgeReport, jsonReport, junitReport } from "../report/formats.ts";
import { type Paint, progressReporter, textReport } from "../report/text.ts";
import { curlPreparation, tracer } from "../request/curl.ts";
import type { RunOptions } from "../runner/open-run.ts";
import { checkSelection } from "./options.ts";
import {
  againstBaseline,
  baselineOf,
  openBaseline,
  type Baseline,
  type BaselineVerdict,
} from "../report/baseline.ts";
import { htmlReport } from "../report/html.ts";
import { allOutcomes, commandsOf, countsOf, verdictOn } from "../report/summary.ts";
import { Unreachable } from "../runner/preflight.ts";
import { conform, type RunReport } from "../runner/run.ts";
import type { Level } from "../suite/level.ts";

/** Options of the command line. */
export interface ConformOptions {
  /** Who calls; only the signed envelope needs it. */
  readonly access?: string;
  readonly baseUrl?: string;
  /** A command whose standard input and output are the service. */
  readonly command?: string;
  readonly level: Level;
  readonly operation?: readonly string[];
  readonly seed?: number;
  /** How many random sequences are tried. */
  readonly explore: number;
  readonly replay?: string;
  readonly trace?: boolean;
  readonly json?: boolean;
  readonly junit?: string;
  readonly html?: string;
  readonly badge?: string;
  readonly capabilities?: string;
  readonly baseline?: string;
  readonly updateBaseline?: boolean;
  readonly bail?: number;
  /** How many failures are shown with their requests. */
  readonly failures: number;
  readonly timeout: number;
  readonly eventTimeout: number;
  readonly concurrency: number;
  readonly errors: "ok" | "mapped";
  readonly operatorUrl?: string;
  readonly mail?: string;
  readonly callbackUrl?: string;
  readonly callbackPort: number;
  readonly issuerPort?: number;
}

/** Where a command prints. */
export interface Console {
  /** Results. */
  print(text: string): void;
  /** Notes beside the results. */
  note(text: string): void;
  /** Replaces the line before. No effect where the output is not a terminal. */
  progress(text: string): void;
  /** Whether the output is a terminal, which can show a line that changes. */
  readonly isLive: boolean;
  readonly color: Paint;
}

/** 0: everything holds that was tried; 1: something does not; 2: there is no verdict. */
export type ExitCode = 0 | 1 | 2;

/** Tries a service with the suite in a folder, and reports. `signal` ends the run early. */
export async function runConform(
  folder: string,
  options: ConformOptions,
  console: Console,
  signal?: AbortSignal,
): Promise<ExitCode> {
  signal?.addEventListener("abort", () => {
    console.progress("");
    console.note("interrupted: takes away what the run made; Ctrl-C ends it at once");
  });
  let report: RunReport;
  let baseline: Baseline | undefined;
  try {
    const loaded = loadSuite(folder);
    const access = accessTo(loaded, options);
    checkSelection(options.operation, loaded);
    baseline = baselineFor(options);
    report = await run(loaded, options, access, console, signal);
    writeReports(report, options);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    console.progress("");
    console.note(`error: ${error instanceof Unreachable ? `cannot reach ${error.message}` : error.message}`);
    return 2;
  }
  console.progress("");
  if (options.json === true) console.print(jsonReport(report));
  else console.print(textReport(report, { paint: console.color, failuresMax: options.failures }));
  return verdictOf(report, options, baseline, console);
}

/** The operator's interface is called by the operator of the access file, any other one by its caller. @throws Error */
function accessTo(loaded: LoadedSuite, options: ConformOptions): Access {
  const { access: file, command, operatorUrl } = options;
  const baseUrl = command === undefined ? options.baseUrl : `${commandPrefix}${command}`;
  const { wire } = loaded.suite;
  const access = wire === undefined ? signedAccess(file) : standardAccess(file, wire);
  const known = sampleNames(loaded);
  const reached = { ...access, ...omitUndefined({ baseUrl, operatorUrl }) };
  if (loaded.suite.name === "operator") return operatorAccess(reached, known);
  if (loaded.suite.documentedPath !== undefined) return furtherAccess(reached, known);
  checkSamples(access, known);
  return reached;
}

/** @throws Error */
function signedAccess(file: string | undefined): Access {
  if (file === undefined)
    throw new Error(
      "say with --access who calls: a file with userName, apiKey, keyId and privateKeyPem, such as .data/access.json",
    );
  return openAccess(file);
}

/** Without a file a caller without credentials. @throws Error */
function standardAccess(file: string | undefined, wire: JsonRpcEntry): Access {
  if (file === undefined) return readStandardAccess("{}", "(no access file)", wire);
  return openStandardAccess(file, wire);
}

/** The known failures that a run is compared with; undefined where it is not, or where they are to be written. */
function baselineFor({ baseline, updateBaseline }: ConformOptions): Baseline | undefined {
  if (baseline === undefined && updateBaseline === true)
    throw new Error("say with --baseline which file to write");
  if (baseline === undefined || updateBaseline === true) return undefined;
  return openBaseline(baseline);
}

/** The address of the service, where that of its endpoint is given. */
function withoutPath(address: string, path: string): string {
  const trimmed = address.replace(/\/$/, "");
  const isEndpoint = /^(?:https?|wss?):/i.test(address) && path !== "/" && trimmed.endsWith(path);
  return isEndpoint ? trimmed.slice(0, -path.length) : address;
}

async function run(
  loaded: LoadedSuite,
  options: ConformOptions,
  access: Access,
  console: Console,
  signal: AbortSignal | undefined,
): Promise<RunReport> {
  const { baseUrl: given } = access;
  if (given === undefined)
    throw new Error("say with --base-url where the service is, such as http://127.0.0.1:8080");
  for (const [name, value] of [
    ["--base-url", given],
    ["--operator-url", options.operatorUrl],
    ["--callback-url", options.callbackUrl],
  ] as const) {
    const mistake = value === undefined ? undefined : addressMistake(value);
    if (mistake !== undefined) throw new Error(`${name} ${mistake}`);
  }
  const baseUrl = withoutPath(given, loaded.suite.path);
  if (loaded.suite.wire === undefined && carrierOf(baseUrl) !== undefined)
    throw new Error(`${loaded.suite.name} is an interface of signed envelopes: it is reached over HTTP`);
  const { seed, replay, operation, bail } = options;
  const trace = tracer({ suite: loaded.suite, baseUrl, identity: access });
  return await conform({
    ...loaded,
    access,
    baseUrl,
    level: options.level,
    concurrency: options.trace === true ? 1 : options.concurrency,
    timeoutMs: options.timeout,
    eventTimeoutMs: options.eventTimeout,
    settings: { httpStatus: options.errors },
    mailFolder: options.mail ?? join(dirname(resolve(options.access ?? "access.json")), "mail"),
    callback: omitUndefined({ port: options.callbackPort, url: options.callbackUrl }),
    ...issuing(loaded, options, access),
    explore: omitUndefined({ runs: options.explore, replay }),
    ...omitUndefined({
      capabilities:
        options.capabilities === undefined ? undefined : openCapabilities(options.capabilities, loaded.suite),
      only: operation,
      seed,
      failuresMax: bail,
      signal,
      onExchange:
        options.trace === true
          ? (((request, answer) => console.note(trace(request, answer))) satisfies RunOptions["onExchange"])
          : undefined,
    }),
    onProgress: progressReporter({
      paint: console.color,
      isLive: console.isLive && options.trace !== true,
      replace: (line) => console.progress(line),
      append: (line) => console.note(line),
    }),
  });
}

/** Where tokens are issued by the suite, its keys have to be where the service looks for them. @throws Error */
function issuing(
  { suite: { wire } }: LoadedSuite,
  { issuerPort }: ConformOptions,
  { credentials = {} }: Access,
): Pick<RunOptions, "issuerPort"> {
  if (issuerPort !== undefined) return { issuerPort };
  const scheme = wire?.schemes.find(
    ({ name, kind }) =>
      kind === "jwt" &&
      Object.hasOwn(credentials, name) &&
      credentials[name]?.privateKeyPem === undefined &&
      credentials[name]?.secret === undefined,
  );
  if (scheme === undefined) return {};
  throw new Error(
    `credentials.${scheme.name} has neither secret nor privateKeyPem: say with --issuer-port where the suite publishes its own keys, such as 9400, and tell the service http://127.0.0.1:9400/.well-known/jwks.json`,
  );
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
  baseline: Baseline | undefined,
  console: Console,
): ExitCode {
  const { failed, broken } = countsOf(allOutcomes(report));
  const { kind } = verdictOn(report);
  if (kind === "untried") return 2;
  if (options.baseline !== undefined && options.updateBaseline === true) {
    writeFileSync(options.baseline, baselineOf(allOutcomes(report)));
    console.note(`wrote ${options.baseline}: ${failed} known failures`);
    return broken > 0 ? 1 : 0;
  }
  if (baseline === undefined) {
    const preparation = curlPreparation(
      resolve(options.access ?? "access.json"),
      commandsOf(allOutcomes(report)),
      report.messageSignatures,
    );
    if (failed > 0 && options.json !== true && preparation !== "")
      console.note(`\nBefore pasting a request:\n${preparation}`);
    return kind === "conforms" ? 0 : 1;
  }
  const verdict = againstBaseline(allOutcomes(report), baseline, options.operation === undefined);
  for (const line of baselineLines(verdict)) console.note(line);
  const wrong = verdict.unexpected.length + verdict.stale.length + broken + report.uncounted.length;
  return wrong > 0 ? 1 : 0;
}

function baselineLines({ unexpected, known, stale }: BaselineVerdict): readonly string[] {
  return [
    `baseline: ${known.length} known failures, ${unexpected.length} unexpected, ${stale.length} that do not fail any more`,
    ...unexpected.map(({ id }) => `  unexpected ${id}`),
    ...stale.map((id) => `  passes now, take it off the list: ${id}`),
  ];
}
