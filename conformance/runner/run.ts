import { randomBytes } from "node:crypto";
import type { Access } from "../request/access.ts";
import type { ServiceSettings } from "../response/error-findings.ts";
import { claimsOf, type Capabilities } from "../session/capabilities.ts";
import type { Case } from "../suite/case.ts";
import { explorer, ruleCases } from "../exploration/rule-cases.ts";
import type { WireRequest } from "../request/build.ts";
import type { JsonRpcBuild } from "../request/wire-request.ts";
import { createTransport, type NoAnswer, type WireAnswer } from "../request/transport.ts";
import { originOf } from "../response/result-findings.ts";
import { requirementVerdicts, scoring, type RequirementVerdict } from "./requirement-verdicts.ts";
import { createEnvironment } from "../scenario/create-environment.ts";
import { createReceiver, type Receiver } from "../scenario/receiver.ts";
import { runScenario } from "../scenario/run-scenario.ts";
import type { Level, MethodEntry, Scenario, Step, Suite } from "../suite/suite.ts";
import { sharedResources } from "./fixtures.ts";
import { createContext } from "../session/context.ts";
import { preflight, operatorPreflight, type PreflightResult, type MissingMethod } from "./preflight.ts";
import { createKeyedLock, inParallel } from "../session/keyed-lock.ts";
import { openIssuer } from "../session/issuer.ts";
import { contactId, type Outcome } from "../session/outcome.ts";
import { randomFrom, shuffled } from "../session/random.ts";
import { runCase } from "./run-case.ts";
import { CircuitBreaker } from "../session/circuit-breaker.ts";
import { type Verdict } from "../session/verdict.ts";
import { isWithin } from "../suite/level.ts";

export interface RunOptions {
  readonly suite: Suite;
  readonly cases: readonly Case[];
  readonly access: Access;
  /** Where the service is, without the path of the interface. */
  readonly baseUrl: string;
  /** Default `decisions`. */
  readonly level?: Level;
  /** Only cases whose operation or id begins with one of these. */
  readonly only?: readonly string[];
  readonly seed?: number;
  /** Requests at once. Default 16. */
  readonly concurrency?: number;
  /** Default 10,000. */
  readonly timeoutMs?: number;
  readonly settings?: Partial<ServiceSettings>;
  /** Where the operator's interface is. Default: that of the access file. */
  readonly operatorUrl?: string;
  /** The folder into which the service writes mails. */
  readonly mailFolder?: string;
  /** Where the service can reach the suite's own receiver of events, and the port that it listens on. */
  readonly callback?: { readonly url?: string; readonly port: number };
  /** Where the keys are published with which the suite issues tokens, for `jwt` schemes. Absent: nowhere. */
  readonly issuerPort?: number;
  /** How many random sequences are tried: 10 if absent. `replay`: the one that an earlier run has shown so, alone. */
  readonly explore?: { readonly runs?: number; readonly replay?: string };
  /** What the implementation says that it does not have. Default: nothing is lacking. */
  readonly capabilities?: Capabilities;
  /** Ends the run after so many failures: what is left is skipped. */
  readonly failuresMax?: number;
  readonly onProgress?: (progress: Progress) => void;
  readonly onExchange?: (request: WireRequest, answer: WireAnswer | NoAnswer) => void;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  /** The operation of the case that was done last. */
  readonly at: string;
}

export interface RunReport {
  readonly name: string;
  readonly title: string;
  readonly revision: string;
  readonly baseUrl: string;
  readonly level: Level;
  readonly seed: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly elapsedMs: number;
  /** In the order of the suite. */
  readonly outcomes: readonly Outcome[];
  /** Those of cases that came after the requirements of the revision were written down: no requirement has them. */
  readonly unscored: readonly Outcome[];
  /** The operations that were asked for and of which no case belongs to a requirement. */
  readonly uncounted: readonly string[];
  readonly requirements: readonly RequirementVerdict[];
}

const runsUsual = 10;
const enough = "enough failures were found";
const notTried = "the first answers made it pointless";

/** Tries a service with every case there is. @throws Unreachable */
export async function conform(options: RunOptions): Promise<RunReport> {
  const { suite, access, baseUrl, level = "decisions", concurrency = 16 } = options;
  const seed = options.seed ?? randomBytes(4).readUInt32LE();
  const startedAt = performance.now();
  const startedAtTime = new Date().toISOString();
  const transport = createTransport({
    baseUrl,
    timeoutMs: options.timeoutMs ?? 10_000,
    connectionsMax: concurrency,
    ...(options.onExchange === undefined ? {} : { onExchange: options.onExchange }),
  });
  const probe = probeOf(suite);
  const claims = claimsOf(options.capabilities ?? { lacks: [] }, suite);
  const receiver = claims.has("events") ? receiverOf(options) : undefined;
  const callbackUrl = await receiver?.open();
  const rpc = rpcOf(suite, access, baseUrl);
  const { wire } = suite;
  const issuer =
    wire === undefined || options.issuerPort === undefined
      ? undefined
      : await openIssuer(options.issuerPort, wire);
  const context = createContext({
    suite,
    access,
    baseUrl,
    level,
    transport,
    probe,
    claims,
    settings: { httpStatus: "ok", ...options.settings },
    nonce: randomBytes(6).toString("hex"),
    ...(callbackUrl === undefined ? {} : { callbackUrl: callbackUrl.url }),
    ...(rpc === undefined ? {} : { rpc }),
  });
  const { environment, close } = createEnvironment({
    context,
    access,
    operatorUrl: claims.has("operator") ? (options.operatorUrl ?? access.operatorUrl) : undefined,
    receiver,
    mailFolder: claims.has("mail") ? options.mailFolder : undefined,
    timeoutMs: options.timeoutMs ?? 10_000,
    connectionsMax: concurrency,
  });
  try {
    const { missing, abortReason } = await preflight(context);
    if (abortReason === undefined) await operatorPreflight(environment);
    const { runs = runsUsual, replay } = options.explore ?? {};
    const only = replay === undefined ? options.only : ["exploration/"];
    const selected = options.cases.filter((each) => isSelected(each, level, only));
    const scenarios = scenarioCases(suite).filter((each) => isSelected(each, level, only));
    const explored =
      runs === 0 || wire !== undefined
        ? []
        : ruleCases(context).filter((each) => isSelected(each, level, only));
    const total = selected.length + scenarios.length + explored.length;
    const isScored = scoring(suite);
    const lock = createKeyedLock();
    const outcomes = new Map<string, Outcome>();
    let failed = abortReason === undefined ? 0 : 1;
    const breaker = new CircuitBreaker();
    const settle = async (each: Titled, work: () => Promise<Verdict>): Promise<void> => {
      const startedMs = performance.now() - startedAt;
      const absent = each.methods.map((name) => missing.get(name)).find((reason) => reason !== undefined);
      const isOver = failed >= (options.failuresMax ?? Infinity);
      const lacking = claims.lacking({
        decisions: each.origin,
        ...(each.rule === undefined ? {} : { rule: each.rule }),
      });
      const why =
        abortReason === undefined
          ? isOver
            ? enough
            : (absent?.reason ?? lacksText(lacking) ?? breaker.skipReason(each.methods))
          : notTried;
      const verdict = why === undefined ? await work() : skipped(why);
      if (verdict.status === "failed") failed += 1;
      breaker.record(each.method, verdict);
      outcomes.set(each.id, outcomeOf(each, verdict, startedMs, performance.now() - startedAt));
      if (abortReason === undefined)
        options.onProgress?.({ done: outcomes.size, total, failed, at: each.method });
    };
    await inParallel(shuffled(selected, randomFrom(seed)), concurrency, (each) =>
      settle({ ...each, methods: [each.method] }, () => runCase(each, environment, lock)),
    );
    const together = scenarios.filter(({ scenario }) => !scenario.alone);
    await inParallel(shuffled(together, randomFrom(seed)), concurrency, (each) =>
      settle(each, () =>
        lock.run(sharedResources(undefined, each.scenario.steps, environment), () =>
          runScenario(each.scenario, environment),
        ),
      ),
    );
    for (const each of scenarios.filter(({ scenario }) => scenario.alone))
      await settle(each, () => runScenario(each.scenario, environment));
    const { cases } = options;
    const verdictOn = explorer({
      environment,
      cases,
      seed,
      runs,
      absent: new Set(missing.keys()),
      ...(options.failuresMax === undefined ? {} : { brokenMax: options.failuresMax }),
      ...(replay === undefined ? {} : { replay }),
    });
    for (const each of explored) await settle({ ...each, methods: [] }, () => verdictOn(each.name));
    const ordered = [...selected, ...scenarios, ...explored].flatMap(({ id }) => outcomes.get(id) ?? []);
    const counted = ordered.filter(({ id }) => isScored(id));
    const missed = missingOutcomes(missing, suite).filter((each) => isSelected(each, level, only));
    const elapsedMs = performance.now() - startedAt;
    return {
      name: suite.name,
      title: suite.title,
      revision: suite.revision,
      baseUrl,
      level,
      seed,
      startedAt: startedAtTime,
      elapsedMs,
      outcomes: [
        ...contactOutcomes(abortReason),
        ...missed,
        ...counted,
        ...context.everyResponse.outcomes(level),
      ],
      unscored: ordered.filter(({ id }) => !isScored(id)),
      uncounted: uncountedOf(suite, [...missed, ...counted], only),
      requirements: requirementVerdicts(suite, ordered),
    };
  } finally {
    transport.close();
    issuer?.close();
    await close();
  }
}

/** Undefined of the signed envelope. */
function rpcOf(
  { wire, methods }: Suite,
  { credentials = {} }: Access,
  baseUrl: string,
): JsonRpcBuild | undefined {
  if (wire === undefined) return undefined;
  const byName = new Map(methods.map((method) => [method.name, method]));
  return {
    protocol: wire,
    credentials,
    methodOf: (name) => byName.get(name),
    pathPrefix: new URL(baseUrl).pathname.replace(/\/$/, ""),
  };
}

/** Whole operations that were asked for without any case that counts. */
function uncountedOf(
  { methods }: Suite,
  counted: readonly Outcome[],
  only: readonly string[] | undefined,
): readonly string[] {
  const having = new Set(counted.map(({ method }) => method));
  return methods
    .map(({ name }) => name)
    .filter((name) => only === undefined || only.some((prefix) => name.startsWith(prefix)))
    .filter((name) => !having.has(name));
}

function lacksText(rule: string | undefined): string | undefined {
  return rule === undefined ? undefined : `the capability file says that the service lacks ${rule}`;
}

function contactOutcomes(abortReason: PreflightResult["abortReason"]): readonly Outcome[] {
  if (abortReason === undefined) return [];
  const { title, finding, exchange } = abortReason;
  return [
    {
      id: contactId,
      method: "(endpoint)",
      title,
      level: "document",
      origin: [],
      status: "failed",
      findings: [finding],
      exchanges: [exchange],
      startedMs: 0,
      elapsedMs: 0,
    },
  ];
}

/** A case or a scenario, as a report names it. */
interface Titled extends Pick<Case, "id" | "method" | "title" | "level" | "origin" | "rule"> {
  /** The operations without which it cannot be tried. */
  readonly methods: readonly string[];
}

interface ScenarioCase extends Titled {
  readonly scenario: Scenario;
}

/** The scenarios of a suite, each under the first operation that it is about. */
function scenarioCases({ scenarios }: Suite): readonly ScenarioCase[] {
  return scenarios.map((scenario) => {
    const methods = scenario.about.length > 0 ? scenario.about : [...new Set(calledBy(scenario.steps))];
    return {
      id: `scenario/${scenario.name}`,
      method: methods[0] ?? "(sequences)",
      methods,
      title: scenario.doc,
      level: scenario.level,
      origin: originOf(scenario),
      scenario,
    };
  });
}

function calledBy(steps: readonly Step[]): readonly string[] {
  return steps.flatMap((step) => {
    if (step.kind === "call") return [step.method];
    return step.kind === "each" ? calledBy(step.steps) : [];
  });
}

/** On this machine a receiver needs no address; elsewhere the service has to be told one. */
function receiverOf({ baseUrl, callback }: RunOptions): Receiver | undefined {
  if (callback?.url !== undefined) return createReceiver({ port: callback.port, publicUrl: callback.url });
  const { hostname } = new URL(baseUrl);
  const isHere = /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(hostname);
  return isHere ? createReceiver({ port: callback?.port ?? 0 }) : undefined;
}

function isSelected(
  { id, method, level }: Pick<Case, "id" | "method" | "level">,
  most: Level,
  only: readonly string[] | undefined,
): boolean {
  if (!isWithin(level, most)) return false;
  return only === undefined || only.some((prefix) => id.startsWith(prefix) || method.startsWith(prefix));
}

function outcomeOf(
  { id, method, title, level, origin, rule }: Titled,
  verdict: Verdict,
  startedMs: number,
  endedMs: number,
): Outcome {
  return {
    id,
    method,
    title,
    level,
    origin,
    ...(rule === undefined ? {} : { rule }),
    ...verdict,
    startedMs,
    elapsedMs: endedMs - startedMs,
  };
}

function skipped(reason: string): Verdict {
  return { status: "skipped", reason, findings: [], exchanges: [] };
}

function probeOf({ methods, probe }: Suite): MethodEntry {
  const method = methods.find(({ name }) => name === probe) ?? methods[0];
  if (method === undefined) throw new Error("the suite has no operations");
  return method;
}

function missingOutcomes(missing: ReadonlyMap<string, MissingMethod>, suite: Suite): readonly Outcome[] {
  return [...missing].map(([name, { reason, exchange }]) => {
    const method = suite.methods.find((each) => each.name === name);
    return {
      id: `${name}/present`,
      method: name,
      title: "the operation is there",
      level: "document",
      origin: method?.section === undefined ? [] : [method.section],
      status: "failed",
      findings: [{ check: "present", level: "document", expected: name, found: reason }],
      exchanges: [exchange],
      startedMs: 0,
      elapsedMs: 0,
    };
  });
}
