import { figuresOf, type Figure } from "../harness/figures.ts";
import { callClosed, roundsOf, type LoadOutcome } from "../harness/http-load.ts";
import { stop, temporaryFolder } from "../harness/processes.ts";
import { startService, type Service } from "../harness/service.ts";
import { slowDiskEnvironment } from "../harness/slow-disk.ts";
import type { Part, PartOptions } from "./part.ts";
import { addAccounts, isResult } from "./sides.ts";

const inMemory = "in memory (/dev/shm)";
const onDisk = "on disk";

/** Durable writes: AddAccount with its event, audit entry and record of the answer. */
export const writes: Part = {
  name: "writes",
  title: "AddAccount at 64 callers, on disk and in memory",
  measure: async (options) => {
    const part = "AddAccount, 64 callers";
    const shared = {
      part,
      measure: "throughput",
      unit: "calls/s",
      better: "higher",
      base: inMemory,
    } as const;
    const size = { callers: 64, perRound: 3_000 };
    const sides = new Map([
      [inMemory, { service: await startService(temporaryFolder("/dev/shm")), ...size }],
      [onDisk, { service: await startService(temporaryFolder()), ...size }],
    ]);
    const rounds = await inTurns(part, sides, options, ({ answered, seconds }) => answered / seconds);
    return figuresOf({ ...shared, goals: { [onDisk]: { of: "ratio", atLeast: 0.95 } }, rounds });
  },
};

/** The gain of shared commits where the disk is slow, and the wait of a lone caller. */
export const commits: Part = {
  name: "commits",
  title: "AddAccount on a disk that takes 1 ms longer: shared commits, and one each",
  measure: async (options) => {
    const slow = slowDiskEnvironment();
    const lone = { service: await startService(temporaryFolder()), callers: 1, perRound: 300 };
    const alone = await inTurns(
      "AddAccount, one caller",
      new Map([[onDisk, lone]]),
      options,
      ({ p50Ms }) => p50Ms,
    );
    const latency: readonly Figure[] = figuresOf({
      part: "AddAccount, one caller",
      measure: "p50",
      unit: "ms",
      better: "lower",
      rounds: alone,
    });
    if (slow === undefined) {
      console.error("gcc is missing: what shared commits save on a slow disk is left out");
      return latency;
    }
    const service = await startService(temporaryFolder(), { env: slow });
    const sides = new Map([
      ["one commit each (1 caller)", { service, callers: 1, perRound: 300 }],
      ["shared commits (64 callers)", { service, callers: 64, perRound: 3_000 }],
    ]);
    const part = "AddAccount, each wait for the disk 1 ms longer";
    const rounds = await inTurns(part, sides, options, ({ answered, seconds }) => answered / seconds);
    const goals = { "shared commits (64 callers)": { of: "ratio", atLeast: 6 } } as const;
    const base = "one commit each (1 caller)";
    const shared = { part, measure: "throughput", unit: "calls/s", better: "higher", base, goals } as const;
    return [...latency, ...figuresOf({ ...shared, rounds })];
  },
};

interface WriteSide {
  readonly service: Service;
  readonly callers: number;
  readonly perRound: number;
}

/** One value a round of each side. Stops the services. */
async function inTurns(
  part: string,
  sides: ReadonlyMap<string, WriteSide>,
  { rounds, progress }: PartOptions,
  valueOf: (outcome: LoadOutcome) => number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const found = new Map([...sides.keys()].map((name): [string, number[]] => [name, []]));
  const most = Math.max(...[...sides.values()].map((side) => side.perRound));
  for (const { round, name: roundName } of roundsOf(rounds, most)) {
    for (const [name, { service, callers, perRound }] of sides) {
      progress(`${part}, ${roundName}: ${name}`);
      const { requests } = addAccounts(service, { callers, perRound });
      const load = {
        url: service.url,
        connections: callers,
        requests: requests(`${name} ${round}`),
        check: isResult,
      };
      const outcome = await callClosed(load);
      if (round > 0) found.get(name)?.push(valueOf(outcome));
    }
  }
  for (const child of new Set([...sides.values()].map(({ service }) => service.child))) await stop(child);
  return found;
}
