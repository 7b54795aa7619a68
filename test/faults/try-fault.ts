import { join } from "node:path";
import {
  conform,
  countsOf,
  loadSuite,
  type Access,
  type Level,
  type RunOptions,
  type RunReport,
} from "../../generator/conformance/index.ts";
import { startFaultyServer, type FaultyServer } from "./faulty-server.ts";

const folder = join(import.meta.dirname, "../../generated/ledger/conformance");
const loaded = loadSuite(folder);

/** What the suite made of a fault. */
export interface Trial {
  readonly fault: string;
  readonly outcome: "caught" | "missed" | "not-started";
  /** The cases that failed, as far as they were looked for. */
  readonly by: readonly string[];
  /** What the first of them found; or why the service did not start. */
  readonly detail?: string;
  readonly elapsedMs: number;
}

export interface TrialOptions {
  readonly level: Level;
  readonly seed: number;
  /** Failures after which a fault counts as caught, and nothing more is tried. */
  readonly failuresMax: number;
  /** Tried before everything else: what caught the fault the last time. */
  readonly first?: string;
}

/** Runs the suite against a service with one fault, until a case fails that does not fail without it. */
export async function tryFault(fault: string, options: TrialOptions): Promise<Trial> {
  const startedAt = performance.now();
  const elapsed = (): number => performance.now() - startedAt;
  let server: FaultyServer;
  try {
    server = await startFaultyServer(fault);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { fault, outcome: "not-started", by: [], detail, elapsedMs: elapsed() };
  }
  try {
    const { first } = options;
    const early = first === undefined ? [] : failures(await run(server, { ...options, only: [first] }));
    const failed = early.length > 0 ? early : failures(await run(server, options));
    const finding = failed[0]?.findings[0];
    return {
      fault,
      outcome: failed.length === 0 ? "missed" : "caught",
      by: failed.map(({ id }) => id),
      ...(finding === undefined ? {} : { detail: `${finding.expected}; found ${finding.found}` }),
      elapsedMs: elapsed(),
    };
  } finally {
    await server.stop();
  }
}

function failures(report: RunReport): RunReport["outcomes"] {
  return report.outcomes.filter(({ status }) => status === "failed");
}

export interface SoundOptions {
  readonly level: Level;
  readonly seed: number;
  readonly operator?: boolean;
}

/** Runs the whole suite against the service as it is. */
export async function runSound({ level, seed, operator = true }: SoundOptions): Promise<RunReport> {
  const server = await startFaultyServer(undefined);
  try {
    const { operator: _identity, operatorUrl: _url, ...caller } = server.access;
    const access = operator ? server.access : caller;
    return await run({ ...server, access }, { level, seed, failuresMax: Infinity });
  } finally {
    await server.stop();
  }
}

function run(
  { access, mailFolder }: { readonly access: Access; readonly mailFolder: string },
  options: Pick<RunOptions, "level" | "seed" | "failuresMax" | "only">,
): Promise<RunReport> {
  return conform({ ...loaded, access, baseUrl: access.baseUrl ?? "", mailFolder, ...options });
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
