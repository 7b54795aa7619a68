import type { AsyncCommand } from "fast-check";
import type { Identity } from "../request/access.ts";
import type { Finding } from "../response/finding.ts";
import type { Case } from "../suite/case.ts";
import type { Exchange } from "../session/outcome.ts";
import { isWithin } from "../suite/level.ts";
import { valuesOf } from "../scenario/run-scenario.ts";
import type { ScenarioWorld } from "../scenario/environment.ts";
import type { Suite } from "../suite/suite.ts";
import { change, doWrong, trespass } from "./changing.ts";
import { create, createUnderSameId, repeat } from "./creating.ts";
import type { Deed, Draw } from "./command.ts";
import { documented } from "./documented.ts";
import { kindsOf, type Kind } from "./resource-types.ts";
import { list, listable, listAsOutsider, listBy } from "./listing.ts";
import { createModel, type Model } from "./model.ts";
import { readBy } from "./observing.ts";
import { askForNothing, read } from "./reading.ts";
import { ruleNames, rules, type RuleName } from "./rules.ts";
import { Broken, Session, type Expedition } from "./sequence.ts";

export interface ExploreOptions {
  readonly world: ScenarioWorld;
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

/** What an exploration found out. */
export interface Exploration {
  readonly kinds: readonly Kind[];
  /** How often each rule was held against the service. */
  readonly tried: ReadonlyMap<RuleName, number>;
  readonly failures: ReadonlyMap<RuleName, Failure>;
  readonly hasOutsider: boolean;
}

/** The shortest sequence that breaks a rule. */
export interface Failure {
  readonly findings: readonly Finding[];
  readonly steps: readonly Exchange[];
  /** What `replay` takes. */
  readonly replay: string;
}

const deeds: readonly Deed[] = [
  create,
  change,
  read,
  list,
  doWrong,
  repeat,
  createUnderSameId,
  trespass,
  askForNothing,
];
const stepsMax = 24;
const brokenMaxUsual = 3;
const timeMaxMs = 40_000;

/**
 * Does random things in random order to objects of its own, and holds what the service says against what it should hold.
 * A sequence that breaks a rule is made as short as it goes; then the others are looked for.
 */
export async function explore(options: ExploreOptions): Promise<Exploration> {
  const { world, cases, seed, runs, replay } = options;
  const { context } = world;
  const suite = exploredSuite(options);
  const kinds = kindsOf(suite, context.request);
  const tried = new Map<RuleName, number>();
  const failures = new Map<RuleName, Failure>();
  const replayed = replay === undefined ? undefined : replayOf(replay);
  const muted = new Set<RuleName>([
    ...ruleNames.filter((name) => !isWithin(rules[name].level, context.level)),
    ...(replayed?.muted ?? []),
  ]);
  let outsider: Promise<Identity | undefined> | undefined;
  const expedition: Expedition = {
    world,
    kinds,
    wrong: wrongRequests(cases, suite),
    muted,
    tried,
    outsider: () => (outsider ??= makeOutsider(world)),
  };
  if (kinds.some(({ creator, resource }) => creator !== undefined || resource.made !== undefined)) {
    while (failures.size < Math.min(brokenMaxUsual, options.brokenMax ?? brokenMaxUsual)) {
      const broken = await firstBroken(expedition, { seed, runs, ...replayed });
      if (broken === undefined) break;
      const { rule, ...failure } = broken;
      failures.set(rule, failure);
      muted.add(rule);
      if (replay !== undefined) break;
    }
  }
  return { kinds, tried, failures, hasOutsider: (await outsider) !== undefined };
}

/** What of the interface there is to explore. */
function exploredSuite({ world: { context }, absent }: ExploreOptions): Suite {
  const { suite, request, level } = context;
  const stated = level === "document" ? documented(suite, request) : suite;
  return { ...stated, methods: stated.methods.filter(({ name }) => absent?.has(name) !== true) };
}

async function firstBroken(
  expedition: Expedition,
  { seed, runs, path, commandPath }: { seed: number; runs: number; path?: string; commandPath?: string },
): Promise<(Failure & { readonly rule: RuleName }) | undefined> {
  const { default: fc } = await import("fast-check");
  let last: { readonly broken: Broken; readonly steps: readonly Exchange[] } | undefined;
  const draws = fc.record({ pick: fc.nat(7), value: fc.nat(63) });
  const commands = fc.commands(
    [
      fc.oneof(
        ...deeds.map((deed) => ({
          weight: deed.weight,
          arbitrary: draws.map((draw) => new Command(deed, draw)),
        })),
      ),
    ],
    { maxCommands: stepsMax, size: "max", ...(commandPath === undefined ? {} : { replayPath: commandPath }) },
  );
  const property = fc.asyncProperty(commands, async (sequence) => {
    const session = new Session(expedition);
    const model = createModel(`T${expedition.world.unique()}`);
    try {
      await fc.asyncModelRun(() => ({ model, real: session }), sequence);
      await lookAround(model, session);
    } catch (error) {
      if (error instanceof Broken) last = { broken: error, steps: session.steps };
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
  if (last === undefined || !(details.errorInstance instanceof Broken)) throw errorOf(details.errorInstance);
  const { rule, findings } = last.broken;
  return {
    rule,
    findings,
    steps: last.steps,
    replay: replayText(seed, details.counterexamplePath, details.counterexample?.[0], expedition.muted),
  };
}

function errorOf(errorInstance: unknown): Error {
  return errorInstance instanceof Error ? errorInstance : new Error(String(errorInstance));
}

/** A deed with what was drawn for it. */
class Command implements AsyncCommand<Model, Session> {
  readonly #deed: Deed;
  readonly #draw: Draw;

  constructor(deed: Deed, draw: Draw) {
    this.#deed = deed;
    this.#draw = draw;
  }

  /** What it needs, and whether that is there, only the session knows: it does nothing where it is not. */
  check(): boolean {
    return true;
  }

  async run(model: Model, session: Session): Promise<void> {
    await this.#deed.perform(model, session, this.#draw);
  }

  toString(): string {
    return `${this.#deed.name}(${this.#draw.pick}, ${this.#draw.value})`;
  }
}

/** At the end everything is read and listed once more. @throws Broken */
async function lookAround(model: Model, session: Session): Promise<void> {
  session.isAuditing = true;
  for (const thing of model.things) {
    for (const reader of thing.kind.readers) await readBy(reader, thing, model, session);
  }
  for (const { kind, listing } of listable(model, session)) {
    await listBy(listing, kind, model, session, { pick: 0, value: 0 });
    await listAsOutsider(listing, kind, model, session);
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

async function makeOutsider(world: ScenarioWorld): Promise<Identity | undefined> {
  const { suite, lookup } = world.context;
  const made = suite.resources.find(({ name }) => name === outsiderName)?.made;
  if (made === undefined) return undefined;
  const given = new Map(await valuesOf(made.steps, made.gives, world, lookup));
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
