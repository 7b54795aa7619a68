import { dirname, join, resolve } from "node:path";
import { openStandardAccess } from "./request/standard-access.ts";
import { checkSamples, openAccess, type Access } from "./request/access.ts";
import { loadSuite, sampleNames } from "./cases/all-cases.ts";
import type { RunOptions } from "./runner/open-run.ts";
import { byMethod } from "./report/summary.ts";
import { originText } from "./report/text.ts";
import type { Outcome } from "./session/outcome.ts";
import { conform, type RunReport } from "./runner/run.ts";

/** The functions of a test framework that are used: vitest, jest and node:test have them. */
export interface TestFramework {
  readonly describe: (name: string, define: () => void) => unknown;
  readonly test: ((name: string, run: () => void) => unknown) & {
    readonly skip: (name: string, run: () => void) => unknown;
  };
}

export interface DescribeOptions
  extends TestFramework, Partial<Omit<RunOptions, "suite" | "cases" | "access" | "baseUrl">> {
  /** The folder that the generator wrote: `generated/ledger/conformance`. */
  readonly suite: string;
  /** An access file, or what is in one. */
  readonly access: string | Access;
  /** Default: that of the access file. */
  readonly baseUrl?: string;
}

/**
 * Tests a service, and reports each case as a test. To be awaited at the top of a test file, because tests have to
 * be known before they run: `await describeConformance({ describe, test, suite, access })`.
 * @throws Error where nothing can be tried: no service, or an access file with mistakes
 */
export async function describeConformance(options: DescribeOptions): Promise<RunReport> {
  const { describe, test, suite: folder, access: given, ...rest } = options;
  const loaded = loadSuite(folder);
  const { wire } = loaded.suite;
  const open = (path: string): Access =>
    wire === undefined ? openAccess(path) : openStandardAccess(path, wire);
  const access = typeof given === "string" ? open(given) : given;
  checkSamples(access, sampleNames(loaded));
  const baseUrl = options.baseUrl ?? access.baseUrl;
  if (baseUrl === undefined) throw new Error("say with baseUrl where the service is");
  const mail = typeof given === "string" ? { mailFolder: join(dirname(resolve(given)), "mail") } : {};
  const report = await conform({ ...mail, ...rest, ...loaded, access, baseUrl });
  const outcomesByMethod = byMethod(report);
  describe(`${report.title} ${report.revision}, level ${report.level}, seed ${report.seed}`, () => {
    for (const name of report.uncounted)
      test(`${name}/counted`, () => {
        throw new Error(`no case of ${name} belongs to a requirement, so that nothing vouches for it`);
      });
    for (const [method, outcomes] of outcomesByMethod) {
      describe(method, () => {
        for (const outcome of outcomes) {
          if (outcome.status === "skipped") test.skip(`${outcome.id} (${outcome.reason})`, () => {});
          else test(outcome.id, () => assertPassed(outcome));
        }
      });
    }
  });
  return report;
}

/** @throws Error that says what had to be, what was, and how to see it */
function assertPassed({ status, title, origin, reason, findings, exchanges }: Outcome): void {
  if (status === "passed") return;
  const found = findings.flatMap(({ expected, found: was }) => [
    `  expected ${expected}`,
    `  found    ${was}`,
  ]);
  const wire = exchanges.flatMap(({ curl, answer }) => [curl, answer]);
  throw new Error(
    [`${title}: ${originText(origin)}`, ...(reason === undefined ? [] : [reason]), ...found, ...wire].join(
      "\n",
    ),
  );
}
