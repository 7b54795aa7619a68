import { globSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { generators, installGenerators, prepareRun } from "../contestants/generators/index.ts";
import { packedGenerator, project } from "../generate/project.ts";
import { typeCheckSeconds } from "../generate/type-check.ts";
import { runNode, type CommandCost } from "../harness/command.ts";
import { figuresOf, type Figure, type Goal } from "../harness/figures.ts";
import { ownName, repository } from "../harness/service.ts";
import type { Part, PartOptions } from "./part.ts";

const nothingToDo = `${ownName}, nothing to do`;
/** The runs with all targets. */
const wholeRuns = [ownName, nothingToDo];
/** The targets that the others have, too. */
const sameWork = { name: `${ownName}, client and zod only`, targets: ["client", "zod"] };

/** The sizes and their goals: seconds with nothing to do, and megabytes at the peak. */
const sizes = [
  { factor: 1, idleSeconds: 0.2, peakMb: undefined },
  { factor: 10, idleSeconds: undefined, peakMb: 250 },
  { factor: 50, idleSeconds: 0.4, peakMb: 600 },
] as const;

/** The packed generator on the ledger spec, as it is and many times as large, beside generators on its OpenAPI export. */
export const generate: Part = {
  name: "generate",
  title: "generate beside other generators, at 1 ×, 10 × and 50 × the ledger spec",
  measure: async (options) => {
    const cache = installGenerators(join(repository, ".cache/bench-generators"));
    const program = packedGenerator();
    return sizes.flatMap((size) => measureSize(size, program, cache, options));
  },
};

interface Run {
  readonly name: string;
  prepare(): void;
  run(): CommandCost;
}

function measureSize(
  { factor, idleSeconds, peakMb }: (typeof sizes)[number],
  program: string,
  cache: string,
  { rounds: most, progress }: PartOptions,
): readonly Figure[] {
  const rounds = factor === 50 ? Math.min(3, most) : most;
  const own = project(factor);
  const run = (): CommandCost => runNode(program, ["generate"], own);
  run();
  const alike = project(factor, sameWork.targets);
  const others = join(cache, `times-${factor}`);
  prepareRun(others, join(own, "generated/ledger/openapi.json"));
  const runs: readonly Run[] = [
    { name: ownName, prepare: () => cold(own), run },
    { name: nothingToDo, prepare: () => undefined, run },
    { name: sameWork.name, prepare: () => cold(alike), run: () => runNode(program, ["generate"], alike) },
    ...generators.map(({ name, program: bin, args, out }) => ({
      name,
      prepare: () => remove(others, [out]),
      run: () => runNode(join(cache, "node_modules", bin), args, others),
    })),
  ];
  const found = new Map(runs.map(({ name }): [string, CommandCost[]] => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const { name, prepare, run: measured } of runs) {
      progress(`generate at ${factor} ×, round ${round} of ${rounds}: ${name}`);
      prepare();
      found.get(name)?.push(measured());
    }
  }
  const part = `generate, ${factor} × the ledger spec`;
  const atLeastOurs: Goal = { of: "ratio", atLeast: 1 };
  const goals: Record<string, Goal> = Object.fromEntries(generators.map(({ name }) => [name, atLeastOurs]));
  if (idleSeconds !== undefined) goals[nothingToDo] = { of: "value", atMost: idleSeconds };
  const peakGoal: Record<string, Goal> =
    peakMb === undefined ? {} : { [ownName]: { of: "value", atMost: peakMb } };
  const of = (pick: (cost: CommandCost) => number) =>
    new Map([...found].map(([name, costs]) => [name, costs.map(pick)]));
  const shared = { part, better: "lower", base: ownName } as const;
  return [
    ...figuresOf({ ...shared, measure: "time", unit: "s", goals, rounds: of(({ seconds }) => seconds) }),
    ...figuresOf({
      ...shared,
      measure: "time for a client and zod schemas",
      unit: "s",
      base: sameWork.name,
      goals,
      rounds: new Map([...of(({ seconds }) => seconds)].filter(([name]) => !wholeRuns.includes(name))),
    }),
    ...figuresOf({ ...shared, measure: "CPU", unit: "s", rounds: of(({ cpuSeconds }) => cpuSeconds) }),
    ...figuresOf({
      ...shared,
      measure: "peak",
      unit: "MB",
      goals: peakGoal,
      rounds: of(({ peakMb: mb }) => mb),
    }),
    ...figuresOf({ ...shared, measure: "written", unit: "MB", rounds: written(own, alike, others) }),
    ...figuresOf({
      ...shared,
      measure: "tsc over the client and zod",
      unit: "s of CPU",
      goals,
      rounds: typeChecks(own, others, join(cache, "node_modules"), progress),
    }),
  ];
}

/** Seconds of CPU to check the types of what all of them generate: a client and its zod schemas. */
function typeChecks(
  own: string,
  others: string,
  modules: string,
  progress: PartOptions["progress"],
): ReadonlyMap<string, readonly number[]> {
  const all = [
    { name: ownName, folder: own, out: "generated/ledger/client" },
    ...generators.map(({ name, out }) => ({ name, folder: others, out })),
  ];
  const seconds = all.map(({ name, folder, out }): [string, readonly number[]] => {
    progress(`tsc over what ${name} wrote`);
    return [name, typeCheckSeconds(folder, out, modules)];
  });
  return new Map(seconds.filter(([, values]) => values.length > 0));
}

/** Megabytes that each wrote last. */
function written(own: string, alike: string, others: string): ReadonlyMap<string, readonly number[]> {
  const folders: readonly (readonly [string, string])[] = [
    [ownName, join(own, "generated")],
    [sameWork.name, join(alike, "generated")],
    ...generators.map(({ name, out }) => [name, join(others, out)] as const),
  ];
  return new Map(folders.map(([name, folder]) => [name, [megabytes(folder)]]));
}

function megabytes(folder: string): number {
  return (
    globSync("**/*", { cwd: folder }).reduce((sum, path) => sum + fileBytes(join(folder, path)), 0) / 1e6
  );
}

function fileBytes(path: string): number {
  const entry = statSync(path);
  return entry.isFile() ? entry.size : 0;
}

function cold(folder: string): void {
  remove(folder, ["generated", "handlers", ".cache"]);
}

function remove(folder: string, paths: readonly string[]): void {
  for (const path of paths) rmSync(join(folder, path), { recursive: true, force: true });
}
