import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  conform,
  countsOf,
  curlPreparation,
  readAccess,
  textReport,
  Unreachable,
  type Case,
  type Level,
  type RunReport,
  type Suite,
} from "../../conformance/index.ts";
import type { SpecTarget, ProjectConfig } from "../config.ts";
import { exitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";

export interface ConformOptions {
  readonly baseUrl?: string;
  readonly access: string;
  readonly level: Level;
  readonly operation?: readonly string[];
  readonly seed?: number;
  readonly trace?: true;
  readonly json?: true;
  readonly failures: number;
  readonly timeout: number;
  readonly concurrency: number;
  readonly errors: "ok" | "mapped";
  readonly operatorUrl?: string;
  readonly mail?: string;
  readonly callbackUrl?: string;
  readonly callbackPort: number;
}

/** `ledger-rpc conform`: tries a running service with every case of an interface. */
export async function runConform(
  config: ProjectConfig,
  target: SpecTarget,
  options: ConformOptions,
  terminal: Terminal,
): Promise<number> {
  const folder = join(config.root, target.out, "conformance");
  if (!existsSync(join(folder, "suite.json"))) {
    terminal.note(
      `error: ${join(target.out, "conformance")} is not there: run \`ledger-rpc generate\` first`,
    );
    return exitCode.usage;
  }
  const accessFile = resolve(options.access);
  if (!existsSync(accessFile)) {
    terminal.note(`error: there is no access file ${options.access}`);
    return exitCode.usage;
  }
  let report: RunReport;
  try {
    const access = readAccess(readFileSync(accessFile, "utf8"), options.access);
    const baseUrl = options.baseUrl ?? access.baseUrl;
    if (baseUrl === undefined || !URL.canParse(baseUrl)) {
      terminal.note("error: say with --base-url where the service is, such as http://127.0.0.1:8080");
      return exitCode.usage;
    }
    report = await conform({
      suite: readSuite(folder),
      cases: readCases(folder),
      access,
      baseUrl,
      level: options.level,
      concurrency: options.concurrency,
      timeoutMs: options.timeout,
      settings: { httpStatus: options.errors },
      ...(options.operatorUrl === undefined ? {} : { operatorUrl: options.operatorUrl }),
      ...mailFolder(options, accessFile),
      callback: {
        port: options.callbackPort,
        ...(options.callbackUrl === undefined ? {} : { url: options.callbackUrl }),
      },
      ...(options.operation === undefined ? {} : { only: options.operation }),
      ...(options.seed === undefined ? {} : { seed: options.seed }),
      onProgress: ({ done, total, failed }) => {
        if (done % 10 === 0 || done === total)
          terminal.progress(`${done} of ${total} cases, ${failed} failed`);
      },
    });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    terminal.note(`error: ${error instanceof Unreachable ? `cannot reach ${error.message}` : error.message}`);
    return exitCode.usage;
  }
  terminal.progress("");
  const { failed, broken } = countsOf(report.outcomes);
  if (options.json === true) terminal.print(JSON.stringify(report, null, 2));
  else {
    terminal.print(textReport(report, { paint: terminal.color, failuresMax: options.failures }));
    if (failed > 0) terminal.note(`\nBefore pasting a request:\n${curlPreparation(accessFile)}`);
  }
  return failed + broken > 0 ? exitCode.failed : exitCode.ok;
}

/** The folder given; otherwise the one beside the access file, where the sandbox writes its mails. */
function mailFolder({ mail }: ConformOptions, accessFile: string): { readonly mailFolder: string } {
  return { mailFolder: mail ?? join(dirname(accessFile), "mail") };
}

function readSuite(folder: string): Suite {
  return JSON.parse(readFileSync(join(folder, "suite.json"), "utf8"));
}

function readCases(folder: string): readonly Case[] {
  return readFileSync(join(folder, "cases.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
