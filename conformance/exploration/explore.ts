import type { AsyncCommand } from "fast-check";
import { messageOf } from "../base/message-of.ts";
import { omitUndefined } from "../base/omit-undefined.ts";
import type { Identity } from "../request/access.ts";
import type { Finding } from "../response/finding.ts";
import type { Environment } from "../scenario/environment.ts";
import { valuesOf } from "../scenario/run-scenario.ts";
import type { RunContext } from "../session/context.ts";
import { type Exchange, interrupted, skipped, type Verdict } from "../session/outcome.ts";
import type { Case } from "../suite/case.ts";
import { isWithin } from "../suite/level.ts";
import type { Suite } from "../suite/suite.ts";
import { accessForeign, change, sendInvalid } from "./changing.ts";
import type { Command, Draw } from "./command.ts";
import { create, createUnderSameId, repeat } from "./creating.ts";
import { createModel, type Model } from "./model.ts";
import { askForNothing, list, listable, listAsOutsider, listBy, read } from "./reading.ts";
import { documented, type ResourceType, resourceTypesOf } from "./resource-types.ts";
import { originOfRule, type RuleName, ruleNames, rules } from "./rules.ts";
import { type ExplorationContext, InvariantViolation, Sequence } from "./sequence.ts";
import { readBy } from "./state.ts";

interface ExploreOptions {
  readonly environment: Environment;
  readonly cases: readonly Case[];
  readonly seed: number;
  /** How many sequences are tried. */
  readonly runs: number;
  /** One sequence of an earlier run, as its report named it. */
  readonly replay?: string;
  /** Broken rules after which no more are looked for; 3 if absent. */
  readonly brokenMax?: number;
  /** Operations that the service does not have. */
  readonly absent?: ReadonlySet<string>;
}

/** The result of an exploration. */
interface Exploration {
  readonly types: readonly ResourceType[];
  /** How often each rule was held against the service. */
  readonly tried: ReadonlyMap<RuleName, number>;
  readonly failures: ReadonlyMap<RuleName, Failure>;
  readonly hasOutsider: boolean;
}

/** The shortest sequence that breaks a rule. */
interface Failure {
  readonly findings: readonly Finding[];
  readonly steps: readonly Exchange[];
  /** The value for `replay`. */
  readonly replay: string;
}

const drawnFrom: readonly Command[] = [
  create,
  change,
  read,
  list,
  sendInvalid,
  repeat,
  createUnderSameId,
  accessForeign,
  askForNothing,
];
const stepsMax = 24;
const brokenMaxUsual = 3;
const timeMaxMs = 40_000;

/**
 * Calls operations in random order on objects of its own, and compares each answer with a model.
 * A sequence that breaks a rule is made as short as it goes; then the others are looked for.
 */
async function explore(options: ExploreOptions): Promise<Exploration> {
  const { environment, cases, seed, runs, replay } = options;
  const { context } = environment;
  const suite = exploredSuite(options);
  const types = resourceTypesOf(suite, context.request);
  const tried = new Map<RuleName, number>();
  const failures = new Map<RuleName, Failure>();
  const replayed = replay === undefined ? undefined : replayOf(replay);
  const muted = new Set<RuleName>([
    ...ruleNames.filter((name) => !isWithin(rules[name].level, context.level)),
    ...(replayed?.muted ?? []),
  ]);
  let outsider: Promise<Identity | undefined> | undefined;
  const exploration: ExplorationContext = {
    environment,
    types,
    wrong: wrongRequests(cases, suite),
    muted,
    tried,
    outsider: () => (outsider ??= makeOutsider(environment)),
  };
  if (types.some(({ creator, entry }) => creator !== undefined || entry.made !== undefined)) {
    while (failures.size < Math.min(brokenMaxUsual, options.brokenMax ?? brokenMaxUsual)) {
      const violation = await firstViolation(exploration, { seed, runs, ...replayed });
      if (violation === undefined) break;
      const { rule, ...failure } = violation;
      failures.set(rule, failure);
      muted.add(rule);
      if (replay !== undefined) break;
    }
  }
  return { types, tried, failures, hasOutsider: (await outsider) !== undefined };
}

/** The parts of the interface that can be explored. */
function exploredSuite({ environment: { context }, absent }: ExploreOptions): Suite {
  const { suite, request, level } = context;
  const stated = level === "document" ? documented(suite, request) : suite;
  return { ...stated, methods: stated.methods.filter(({ name }) => absent?.has(name) !== true) };
}

async function firstViolation(
  exploration: ExplorationContext,
  { seed, runs, path, commandPath }: { seed: number; runs: number; path?: string; commandPath?: string },
): Promise<(Failure & { readonly rule: RuleName }) | undefined> {
  const { default: fc } = await import("fast-check");
  let last: { readonly violation: InvariantViolation; readonly steps: readonly Exchange[] } | undefined;
  const draws = fc.record({ pick: fc.nat(7), value: fc.nat(63) });
  const commands = fc.commands(
    [
      fc.oneof(
        ...drawnFrom.map((command) => ({
          weight: command.weight,
          arbitrary: draws.map((draw) => new DrawnCommand(command, draw)),
        })),
      ),
    ],
    omitUndefined({ maxCommands: stepsMax, size: "max", replayPath: commandPath }),
  );
  const property = fc.asyncProperty(commands, async (drawn) => {
    const sequence = new Sequence(exploration);
    const model = createModel(`T${exploration.environment.unique()}`);
    try {
      await fc.asyncModelRun(() => ({ model, real: sequence }), drawn);
      await lookAround(model, sequence);
    } catch (error) {
      if (error instanceof InvariantViolation) last = { violation: error, steps: sequence.steps };
      throw error;
    }
  });
  const details = await fc.check(property, {
    seed,
    numRuns: runs,
    interruptAfterTimeLimit: timeMaxMs,
    ...(path === undefined ? {} : { path, endOnFailure: true }),
  });
  if (!details.failed) return undefined;
  if (last === undefined || !(details.errorInstance instanceof InvariantViolation))
    throw errorOf(details.errorInstance);
  const { rule, findings } = last.violation;
  return {
    rule,
    findings,
    steps: last.steps,
    replay: replayText(seed, details.counterexamplePath, details.counterexample?.[0], exploration.muted),
  };
}

function errorOf(errorInstance: unknown): Error {
  return errorInstance instanceof Error ? errorInstance : new Error(String(errorInstance));
}

/** A command with its random draw. */
class DrawnCommand implements AsyncCommand<Model, Sequence> {
  readonly #command: Command;
  readonly #draw: Draw;

  constructor(command: Command, draw: Draw) {
    this.#command = command;
    this.#draw = draw;
  }

  /** Always true: only the sequence knows whether the command has all that it needs, and does nothing where it has not. */
  check(): boolean {
    return true;
  }

  async run(model: Model, sequence: Sequence): Promise<void> {
    await this.#command.perform(model, sequence, this.#draw);
  }

  toString(): string {
    return `${this.#command.name}(${this.#draw.pick}, ${this.#draw.value})`;
  }
}

/** At the end everything is read and listed once more. @throws InvariantViolation */
async function lookAround(model: Model, sequence: Sequence): Promise<void> {
  sequence.isAuditing = true;
  for (const resource of model.resources) {
    for (const reader of resource.type.readers) await readBy(reader, resource, model, sequence);
  }
  for (const { kind, listing } of listable(model, sequence)) {
    await listBy(listing, kind, model, sequence, { pick: 0, value: 0 });
    await listAsOutsider(listing, kind, model, sequence);
  }
}

/** Requests of a method that its payload makes wrong. */
function wrongRequests(cases: readonly Case[], { faults }: Suite): ReadonlyMap<string, readonly Case[]> {
  const wrong = cases.filter(
    ({ request, expect }) =>
      expect.kind === "error" &&
      expect.codes.every((code) => code === faults["badInput"]) &&
      request.edits !== undefined &&
      Object.keys(request).every((key) => key === "base" || key === "edits"),
  );
  return Map.groupBy(wrong, ({ method }) => method);
}

const outsiderName = "outsider";

async function makeOutsider(environment: Environment): Promise<Identity | undefined> {
  const { suite, lookup } = environment.context;
  const made = suite.resources.find(({ name }) => name === outsiderName)?.made;
  if (made === undefined) return undefined;
  const given = new Map(await valuesOf(made.steps, made.gives, environment, lookup));
  const [userName, apiKey, keyId, privateKeyPem] = ["userName", "apiKey", "keyId", "privateKeyPem"].map(
    (name) => given.get(name),
  );
  if (typeof userName !== "string" || typeof apiKey !== "string") return undefined;
  if (typeof keyId !== "string" || typeof privateKeyPem !== "string") return undefined;
  return { userName, apiKey, keyId, privateKeyPem };
}

/** Where fast-check was, which commands were left, and what was not looked at. */
function replayText(
  seed: number,
  counterexamplePath: string | null,
  commands: unknown,
  muted: ReadonlySet<RuleName>,
): string {
  const commandPath = /replayPath="([^"]*)"/.exec(String(commands))?.[1] ?? "";
  return [seed, counterexamplePath ?? "", commandPath, ...muted].join("_");
}

function replayOf(text: string) {
  const [seed = "", path = "", commandPath = "", ...muted] = text.split("_");
  return { seed: Number(seed), path, commandPath, muted: ruleNames.filter((name) => muted.includes(name)) };
}

/** A rule of explorations, as reports name it. */
interface RuleCase extends Pick<Case, "id" | "method" | "title" | "level" | "origin" | "rule"> {
  readonly name: RuleName;
}

/** The rules that an exploration holds against a service, each a case. */
export function ruleCases({ suite, request }: RunContext): readonly RuleCase[] {
  const kinds = resourceTypesOf(suite, request);
  return ruleNames.map((name) => {
    const { title, level, ...rest } = rules[name];
    return {
      id: `exploration/${name}`,
      name,
      method: "(exploration)",
      title,
      level,
      origin: originOfRule(name, kinds, suite),
      ...rest,
    };
  });
}

/** Gives the verdict of an exploration on a rule; the exploration begins with the first question. */
export function explorer(options: ExploreOptions): (name: RuleName) => Promise<Verdict> {
  let exploration: Promise<Exploration> | undefined;
  return async (name) => {
    exploration ??= explore(options);
    try {
      return verdictOn(name, await exploration, options);
    } catch (error) {
      if (options.environment.signal?.aborted === true) return skipped(interrupted);
      const reason = messageOf(error);
      return { status: "broken", reason, findings: [], exchanges: [] };
    }
  };
}

function verdictOn(
  name: RuleName,
  { tried, failures, hasOutsider }: Exploration,
  { environment: { context } }: ExploreOptions,
): Verdict {
  const failure = failures.get(name);
  if (failure !== undefined) {
    const findings = failure.findings.filter(({ level }) => isWithin(level, context.level));
    return { status: "failed", findings, exchanges: failure.steps, replay: failure.replay };
  }
  if ((tried.get(name) ?? 0) > 0) return { status: "passed", findings: [], exchanges: [] };
  return skipped(
    name === "invisible" && !hasOutsider
      ? "needs another caller, whom only the operator can make"
      : "nothing came up to try it on",
  );
}
