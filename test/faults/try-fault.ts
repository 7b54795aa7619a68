import { join } from "node:path";
import {
  conform,
  countsOf,
  loadSuite,
  type Level,
  type RunReport,
} from "../../generator/conformance/index.ts";
import { startFaultyServer } from "./faulty-server.ts";

const folder = join(import.meta.dirname, "../../generated/ledger/conformance");
const loaded = loadSuite(folder);

/** What the suite made of a fault. */
export interface Trial {
  readonly fault: string;
  readonly outcome: "caught" | "missed" | "not-started";
  /** The cases that failed, as far as they were looked for. */
  readonly by: readonly string[];
  readonly detail?: string;
  readonly elapsedMs: number;
}

export interface TrialOptions {
  readonly level: Level;
  readonly seed: number;
  /** Failures after which a fault counts as caught, and nothing more is tried. */
  readonly failuresMax: number;
}

/** Runs the suite against a service with one fault. */
export async function tryFault(fault: string, options: TrialOptions): Promise<Trial> {
  const startedAt = performance.now();
  const elapsed = (): number => performance.now() - startedAt;
  let report: RunReport;
  try {
    report = await runAgainst(fault, options);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { fault, outcome: "not-started", by: [], detail, elapsedMs: elapsed() };
  }
  const failures = report.outcomes.filter(({ status }) => status === "failed");
  const [first] = failures;
  return {
    fault,
    outcome: first === undefined ? "missed" : "caught",
    by: failures.map(({ id }) => id),
    ...(first === undefined
      ? {}
      : { detail: `${first.findings[0]?.expected}; found ${first.findings[0]?.found}` }),
    elapsedMs: elapsed(),
  };
}

/** Runs the suite against a service, with a fault or without. */
export async function runAgainst(
  fault: string | undefined,
  { level, seed, failuresMax }: TrialOptions,
): Promise<RunReport> {
  const server = await startFaultyServer(fault);
  try {
    const { access, mailFolder } = server;
    return await conform({
      ...loaded,
      access,
      baseUrl: access.baseUrl ?? "",
      mailFolder,
      level,
      seed,
      failuresMax,
    });
  } finally {
    await server.stop();
  }
}

/** What is wrong although no fault was asked for; nothing where all is well. */
export function complaints(report: RunReport): readonly string[] {
  const { failed, broken } = countsOf(report.outcomes);
  if (failed + broken === 0) return [];
  return report.outcomes
    .filter(({ status }) => status === "failed" || status === "broken")
    .map(
      ({ id, reason, findings }) => `${id}: ${reason ?? findings[0]?.expected}; found ${findings[0]?.found}`,
    );
}
