import { hash } from "node:crypto";
import { join } from "node:path";
import {
  allOutcomes,
  countsOf,
  loadSuite,
  Unreachable,
  type Access,
  type Level,
  type RunOptions,
  type RunReport,
} from "../../conformance/index.ts";
import { conform } from "../conformance/patient.ts";
import type { Fault, Layer } from "./fault.ts";
import { startFaultyServer, type FaultyServer } from "./faulty-server.ts";

const folder = join(import.meta.dirname, "../../generated/ledger/conformance");
const loaded = loadSuite(folder);

/** Tells one suite from another: trials of a former suite say nothing about this one. */
export const suiteDigest = hash("sha256", JSON.stringify(loaded)).slice(0, 12);

/** Some faults swallow answers and events. Nobody waits for those as long as for a sound service. */
const limitsOfFaults = { timeoutMs: 60_000, eventTimeoutMs: 5_000 };

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
  /** Whether nothing else is tried. */
  readonly onlyFirst?: boolean;
  /** Whether there is neither operator nor folder of mails: only what every caller has. */
  readonly callerOnly?: boolean;
}

const everything = (): boolean => true;

/** Which cases are likely to catch a fault of a layer: they come first. */
const likely: Readonly<Record<Layer, (id: string) => boolean>> = {
  transport: isOfEndpoint,
  decode: isOfEndpoint,
  authenticate: (id) => id.includes("/authentication/") || id.includes("/headers/"),
  authorize: isSequence,
  validate: (id) => id.includes("/payload"),
  encode: (id) => /\/example\/|\/payload[^/]*\/(?:minimal|maximal)$/.test(id),
  handlers: isSequence,
  domain: isSequence,
  storage: isSequence,
  events: isSequence,
  mail: isSequence,
};

function isOfEndpoint(id: string): boolean {
  return id.startsWith("(endpoint)/");
}

function isSequence(id: string): boolean {
  return id.startsWith("scenario/");
}

/** Runs the suite against a service with one fault, until a case fails that does not fail without it. */
export async function tryFault(fault: Fault, options: TrialOptions): Promise<Trial> {
  return withFault(fault, (attempt) => attempt(options));
}

/** Starts a service with one fault, to run the suite against it in several ways, one after the other. */
export async function withFault<T>(
  { id: fault, layer }: Fault,
  work: (attempt: (options: TrialOptions) => Promise<Trial>) => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  let server: FaultyServer;
  try {
    server = await startFaultyServer(fault);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const elapsedMs = performance.now() - startedAt;
    return await work(async () => ({ fault, outcome: "not-started", by: [], detail, elapsedMs }));
  }
  try {
    return await work((options) => attempted({ fault, layer, server }, options));
  } finally {
    await server.stop();
  }
}

async function attempted(
  { fault, layer, server }: { readonly fault: string; readonly layer: Layer; readonly server: FaultyServer },
  options: TrialOptions,
): Promise<Trial> {
  const startedAt = performance.now();
  const { first, level, seed, failuresMax } = options;
  const limits = { level, seed, failuresMax, ...limitsOfFaults };
  const isLikely = likely[layer];
  const parts: readonly ((id: string) => boolean)[] = [
    ...(first === undefined ? [] : [(id: string) => id === first]),
    ...(options.onlyFirst === true ? [] : [isLikely, (id: string) => !isLikely(id)]),
  ];
  let failed: RunReport["outcomes"] = [];
  for (const part of parts) {
    const { access, mailFolder } = server;
    const given = options.callerOnly === true ? { access: callerOnly(access) } : { access, mailFolder };
    failed = [...failed, ...failures(await run(given, limits, part))];
    if (failed.length >= failuresMax) break;
  }
  const finding = failed[0]?.findings[0];
  return {
    fault,
    outcome: failed.length === 0 ? "missed" : "caught",
    by: [...new Set(failed.flatMap(({ id, seenIn }) => seenIn?.slice(0, 1) ?? [id]))],
    ...(finding === undefined ? {} : { detail: `${finding.expected}; found ${finding.found}` }),
    elapsedMs: performance.now() - startedAt,
  };
}

function failures(report: RunReport): RunReport["outcomes"] {
  return allOutcomes(report).filter(({ status }) => status === "failed");
}

export interface SoundOptions {
  readonly level: Level;
  readonly seed: number;
  readonly operator?: boolean;
}

/** Runs the suite, or a part of it, against the service as it is. */
export async function runSound(
  { level, seed, operator = true }: SoundOptions,
  isPart: (id: string) => boolean = everything,
): Promise<RunReport> {
  const server = await startFaultyServer(undefined);
  try {
    const { access, mailFolder } = server;
    const given = operator ? { access, mailFolder } : { access: callerOnly(access) };
    return await run(given, { level, seed, failuresMax: Infinity }, isPart);
  } finally {
    await server.stop();
  }
}

/**
 * Runs a part of the suite. Explorations are random, and come with the last of it. Where the operator's interface has
 * the fault too, and nobody can call it, the rest is tried without it.
 */
async function run(
  { access, mailFolder }: { readonly access: Access; readonly mailFolder?: string },
  limits: Pick<RunOptions, "level" | "seed" | "failuresMax" | "timeoutMs" | "eventTimeoutMs">,
  isPart: (id: string) => boolean = everything,
): Promise<RunReport> {
  const { suite, cases } = loaded;
  const part: RunOptions = {
    suite: { ...suite, scenarios: suite.scenarios.filter(({ name }) => isPart(`scenario/${name}`)) },
    cases: cases.filter(({ id }) => isPart(id)),
    access,
    baseUrl: access.baseUrl ?? "",
    ...limits,
    ...(mailFolder === undefined ? {} : { mailFolder }),
    ...(isPart("exploration/") ? {} : { explore: { runs: 0 } }),
  };
  try {
    return await conform(part);
  } catch (error) {
    if (!(error instanceof Unreachable) || access.operator === undefined) throw error;
    return await conform({ ...part, access: callerOnly(access) });
  }
}

function callerOnly({ operator: _identity, operatorUrl: _url, ...caller }: Access): Access {
  return caller;
}

/** Findings without a fault; empty if all is well. */
export function complaints(report: RunReport): readonly string[] {
  const { failed, broken } = countsOf(allOutcomes(report));
  if (failed + broken === 0) return [];
  return allOutcomes(report)
    .filter(({ status }) => status === "failed" || status === "broken")
    .map(
      ({ id, reason, findings }) => `${id}: ${reason ?? findings[0]?.expected}; found ${findings[0]?.found}`,
    );
}
