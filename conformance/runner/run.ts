import { randomBytes } from "node:crypto";
import { omitUndefined } from "../base/omit-undefined.ts";
import { explorer, ruleCases } from "../exploration/explore.ts";
import { finding, originOf } from "../response/finding.ts";
import type { Environment } from "../scenario/environment.ts";
import { keeping, removeMade, restore } from "../scenario/keeping.ts";
import { runScenario } from "../scenario/run-scenario.ts";
import type { RunContext } from "../session/context.ts";
import { createKeyedLock, inParallel, randomFrom, shuffled } from "../session/order.ts";
import { contactId, failed, type Outcome, untimed } from "../session/outcome.ts";
import type { Case } from "../suite/case.ts";
import { isWithin, type Level } from "../suite/level.ts";
import type { Step } from "../suite/step.ts";
import type { Scenario, Suite } from "../suite/suite.ts";
import { releaseSpare, resourcesOfScenario } from "./fixtures.ts";
import { openRun, type RunOptions } from "./open-run.ts";
import { type MissingMethod, operatorPreflight, preflight, type PreflightResult } from "./preflight.ts";
import { type RequirementVerdict, requirementVerdicts, scoring } from "./requirement-verdicts.ts";
import { runCase } from "./run-case.ts";
import { createSettling, type Titled } from "./settle.ts";

export interface RunReport {
  readonly name: string;
  readonly title: string;
  readonly revision: string;
  readonly baseUrl: string;
  readonly level: Level;
  readonly seed: number;
  /** Whether each HTTP message was signed, too (RFC 9421). The commands of a report have no such signature. */
  readonly messageSignatures?: true;
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

/** Tries a service with every case there is. @throws Unreachable */
export async function conform(options: RunOptions): Promise<RunReport> {
  const { suite, baseUrl, level = "decisions", concurrency = 16 } = options;
  const seed = options.seed ?? randomBytes(4).readUInt32LE();
  const startedAt = performance.now();
  const startedAtTime = new Date().toISOString();
  const { context, environment, close } = await openRun(options, level, concurrency);
  try {
    const { missing, abortReason } = await preflight(context);
    if (abortReason === undefined) await operatorPreflight(environment);
    const { runs = runsUsual, replay } = options.explore ?? {};
    const only = replay === undefined ? options.only : ["exploration/"];
    const isWanted = (each: Parameters<typeof isSelected>[0]): boolean => isSelected(each, level, only);
    const selected = options.cases.filter(isWanted);
    const scenarios = scenarioCases(suite).filter(isWanted);
    const explored = runs === 0 || suite.wire !== undefined ? [] : ruleCases(context).filter(isWanted);
    const total = selected.length + scenarios.length + explored.length;
    const { settle, outcomes } = createSettling(options, { context, missing, abortReason, startedAt, total });
    const verdictOn = explorer({
      environment,
      cases: options.cases,
      seed,
      runs,
      absent: new Set(missing.keys()),
      ...omitUndefined({ brokenMax: options.failuresMax, replay }),
    });
    await tryAll({ selected, scenarios }, { environment, seed, concurrency, settle }, async () => {
      for (const each of explored) await settle({ ...each, methods: [] }, () => verdictOn(each.name));
    });
    const ordered = [...selected, ...scenarios, ...explored].flatMap(({ id }) => outcomes.get(id) ?? []);
    const missed = missingOutcomes(missing, suite).filter(isWanted);
    return {
      name: suite.name,
      title: suite.title,
      revision: suite.revision,
      baseUrl,
      level,
      seed,
      ...omitUndefined({ messageSignatures: context.access.messageSignatures === true || undefined }),
      startedAt: startedAtTime,
      elapsedMs: performance.now() - startedAt,
      ...tallied(suite, { context, level, abortReason, missed, ordered, only }),
    };
  } finally {
    await restore(suite.resources, environment);
    await removeMade(environment, concurrency);
    await close();
  }
}

interface Trying extends Pick<ReturnType<typeof createSettling>, "settle"> {
  readonly environment: Environment;
  readonly seed: number;
  readonly concurrency: number;
}

/** Tries cases, then scenarios, then what is explored; scenarios that wait for the rest begin first and end last. */
async function tryAll(
  {
    selected,
    scenarios,
  }: { readonly selected: readonly Case[]; readonly scenarios: readonly ScenarioCase[] },
  { environment, seed, concurrency, settle }: Trying,
  explore: () => Promise<void>,
): Promise<void> {
  const { context, rest } = environment;
  const lock = createKeyedLock();
  const trial = (each: ScenarioCase): Promise<void> =>
    settle(each, () =>
      keeping(each.scenario, environment, (lookup) => runScenario(each.scenario, environment, lookup)),
    );
  const { lasting, alone, together } = parted(scenarios);
  const lasted = Promise.all(lasting.map(trial));
  // A failure is thrown where it is waited for.
  lasted.catch(() => {});
  try {
    await inParallel(shuffled(selected, randomFrom(seed)), concurrency, (each) =>
      settle({ ...each, methods: methodsOf(each, context) }, () => runCase(each, environment, lock)),
    );
    releaseSpare(environment);
    await inParallel(shuffled(together, randomFrom(seed)), concurrency, (each) =>
      lock.run(resourcesOfScenario(each.scenario.steps, environment), () => trial(each)),
    );
    for (const each of alone) await trial(each);
    await explore();
  } finally {
    rest.resolve();
  }
  await lasted;
}

/** Scenarios by when they are tried: one that goes on after everything else has objects of its own, and locks none. */
function parted(scenarios: readonly ScenarioCase[]) {
  const lasting = scenarios.filter(({ scenario }) => isLasting(scenario.steps));
  const others = scenarios.filter((each) => !lasting.includes(each));
  return {
    lasting,
    alone: others.filter(({ scenario }) => scenario.alone),
    together: others.filter(({ scenario }) => !scenario.alone),
  };
}

function isLasting(steps: readonly Step[]): boolean {
  return steps.some((step) => step.kind === "rest" || ("steps" in step && isLasting(step.steps)));
}

interface TallyOptions {
  readonly context: RunContext;
  readonly level: Level;
  readonly abortReason: PreflightResult["abortReason"];
  readonly missed: readonly Outcome[];
  /** In the order of the suite. */
  readonly ordered: readonly Outcome[];
  readonly only: readonly string[] | undefined;
}

/** Which outcomes count, and what they say of the requirements. */
function tallied(
  suite: Suite,
  { context, level, abortReason, missed, ordered, only }: TallyOptions,
): Pick<RunReport, "outcomes" | "unscored" | "uncounted" | "requirements"> {
  const isScored = scoring(suite);
  const counted = ordered.filter(({ id }) => isScored(id));
  return {
    outcomes: [
      ...contactOutcomes(abortReason),
      ...missed,
      ...counted,
      ...context.seenResults.outcomes(),
      ...context.everyResponse.outcomes(level),
    ],
    unscored: ordered.filter(({ id }) => !isScored(id)),
    uncounted: uncountedOf(suite, [...missed, ...counted], only),
    requirements: requirementVerdicts(suite, ordered),
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

/** The operations without which a case cannot be tried: the endpoint as a whole is tried by one of them. */
function methodsOf({ method, request }: Case, { methodOf }: RunContext): readonly string[] {
  return request.raw === undefined ? [...new Set([method, methodOf(method).name])] : [method];
}

function contactOutcomes(abortReason: PreflightResult["abortReason"]): readonly Outcome[] {
  if (abortReason === undefined) return [];
  const { title, finding: found, exchange } = abortReason;
  return [
    {
      id: contactId,
      method: "(endpoint)",
      title,
      level: "document",
      origin: [],
      ...failed(found, exchange),
      ...untimed,
    },
  ];
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
    return "steps" in step ? calledBy(step.steps) : [];
  });
}

function isSelected(
  { id, method, level }: Pick<Case, "id" | "method" | "level">,
  most: Level,
  only: readonly string[] | undefined,
): boolean {
  if (!isWithin(level, most)) return false;
  return only === undefined || only.some((prefix) => id.startsWith(prefix) || method.startsWith(prefix));
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
      ...failed(finding("present", "document", name, reason), exchange),
      ...untimed,
    };
  });
}
