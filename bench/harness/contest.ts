import type { ChildProcess } from "node:child_process";
import { figuresOf, type Figure, type Goal } from "./figures.ts";
import { callClosed, roundsOf, type CheckAnswer } from "./http-load.ts";
import { cpuSeconds } from "./processes.ts";

/** A server under test, and how it is called. */
export interface Contestant {
  readonly name: string;
  readonly child: ChildProcess;
  readonly url: string;
  readonly callers: number;
  readonly check: CheckAnswer;
  /** The requests of a round; rounds below 1 warm up. */
  requests(round: number): readonly Buffer[];
  /** CPU µs a call that are measured apart, and added. */
  extraUs?(): number;
}

export interface Contest {
  readonly part: string;
  /** CPU is divided by that of this contestant, which is in no other figure. */
  readonly floor: string;
  /** The other figures are divided by those of this one. */
  readonly base: string;
  /** By contestant. */
  readonly cpuGoals?: Readonly<Record<string, Goal>>;
  readonly throughputGoals?: Readonly<Record<string, Goal>>;
  readonly rounds: number;
  /** Calls of each contestant. */
  readonly perRound: number;
  progress(what: string): void;
}

const measures = ["cpuUs", "perSecond", "p50Ms", "p99Ms"] as const;
type Measures = Readonly<Record<(typeof measures)[number], number[]>>;

/** Calls the contestants in turns, A B C A B C, each with requests that were never sent before. */
export async function runContest(
  contestants: readonly Contestant[],
  contest: Contest,
): Promise<readonly Figure[]> {
  const { part, rounds, perRound, progress } = contest;
  const found = new Map<string, Measures>();
  for (const { name } of contestants) found.set(name, { cpuUs: [], perSecond: [], p50Ms: [], p99Ms: [] });
  for (const { round, name } of roundsOf(rounds, perRound)) {
    for (const contestant of contestants) {
      progress(`${part}, ${name}: ${contestant.name}`);
      const own = await turnOf(contestant, round);
      if (round > 0) for (const measure of measures) found.get(contestant.name)?.[measure].push(own[measure]);
    }
  }
  return figures(contest, found);
}

async function turnOf({ child, url, callers, check, requests, extraUs }: Contestant, round: number) {
  const ofRound = requests(round);
  const before = cpuSeconds(child);
  const load = { url, connections: callers, requests: ofRound, check };
  const { answered, seconds, p50Ms, p99Ms } = await callClosed(load);
  const cpuUs = ((cpuSeconds(child) - before) * 1e6) / answered + (round > 0 ? (extraUs?.() ?? 0) : 0);
  return { cpuUs, perSecond: answered / seconds, p50Ms, p99Ms };
}

function figures(
  { part, floor, base, cpuGoals = {}, throughputGoals = {} }: Contest,
  found: ReadonlyMap<string, Measures>,
): readonly Figure[] {
  const all = [...found];
  const served = all.filter(([name]) => name !== floor);
  const of = (from: typeof all, measure: (typeof measures)[number]) =>
    new Map(from.map(([name, own]) => [name, own[measure]]));
  const lower = { part, better: "lower", base } as const;
  return [
    ...figuresOf({
      ...lower,
      measure: "CPU",
      unit: "µs a call",
      base: floor,
      goals: cpuGoals,
      rounds: of(all, "cpuUs"),
    }),
    ...figuresOf({
      part,
      measure: "throughput",
      unit: "calls/s",
      better: "higher",
      base,
      goals: throughputGoals,
      rounds: of(served, "perSecond"),
    }),
    ...figuresOf({ ...lower, measure: "p50", unit: "ms", rounds: of(served, "p50Ms") }),
    ...figuresOf({ ...lower, measure: "p99", unit: "ms", rounds: of(served, "p99Ms") }),
  ];
}
