import { symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { packServer } from "../../bin/pack/server.ts";
import { figuresOf } from "../harness/figures.ts";
import { callClosed, callOpen, roundsOf } from "../harness/http-load.ts";
import { residentMb, stop, temporaryFolder } from "../harness/processes.ts";
import { ownName, repository, startService } from "../harness/service.ts";
import type { Part } from "./part.ts";
import { answerOf, floorSide, getAccounts, isResult } from "./sides.ts";

const size = { callers: 32, perRound: 4_000 };
const shareOfMost = 0.6;

/**
 * Requests at a steady rate: how evenly they are answered. Bare `node:http` at the same rate shows the machine's part
 * of the p99. A pause of 10 ms delays more than 1 % of the requests.
 */
export const pace: Part = {
  name: "pace",
  title: "signed GetAccount at 60 % of the most, open loop",
  measure: async ({ rounds, progress }) => {
    const service = await startService(temporaryFolder());
    const calls = getAccounts(service, size);
    const floor = await floorSide(service, calls, await answerOf(service, calls));
    const load = (url: string, round: string, connections: number) => {
      return { url, connections, requests: calls.requests(round), check: isResult };
    };
    const found = new Map<string, number[]>();
    // Each calls the service twice.
    for (const { round, name: roundName } of roundsOf(rounds, 2 * size.perRound)) {
      progress(`open loop, ${roundName}`);
      const { answered, seconds } = await callClosed(load(service.url, `most ${round}`, size.callers));
      const perSecond = (shareOfMost * answered) / seconds;
      for (const [name, url] of [
        ["", service.url],
        ["bare node:http, ", floor.url],
      ] as const) {
        const { p50Ms, p99Ms } = await callOpen(load(url, `${name}${round}`, 256), perSecond);
        if (round < 1) continue;
        for (const [quantile, value] of [
          ["p50", p50Ms],
          ["p99", p99Ms],
        ] as const) {
          const key = `${name}${quantile}`;
          found.set(key, [...(found.get(key) ?? []), value]);
        }
      }
    }
    await Promise.all([stop(service.child), stop(floor.child)]);
    return figuresOf({
      part: "signed GetAccount at 60 % of the most, open loop",
      measure: "latency",
      unit: "ms",
      better: "lower",
      base: "p50",
      goals: { p99: { of: "ratio", atMost: 4 } },
      rounds: found,
    });
  },
};

/** The folder of the package that is run in production. */
export async function packedServer(): Promise<string> {
  const folder = join(
    dirname(await packServer({ out: temporaryFolder(), owner: repository })),
    "ledger-server",
  );
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  return folder;
}

/** From start to ready on an existing file, and memory after a while of calls. */
export const starts: Part = {
  name: "starts",
  title: "start to ready, and resident memory",
  measure: async ({ rounds, beside, progress }) => {
    progress("packing the service");
    const checkouts = new Map([
      [ownName, { checkout: await packedServer() }],
      ["from a checkout", {}],
      ...(beside === undefined ? [] : [["beside", { checkout: beside }] as const]),
    ]);
    const ready = new Map<string, number[]>();
    const resident = new Map<string, number[]>();
    for (const [name, options] of checkouts) {
      const dataDir = temporaryFolder();
      const service = await startService(dataDir, options);
      const calls = getAccounts(service, size);
      const megabytes: number[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        progress(`memory of ${name}, round ${round} of ${rounds}`);
        const requests = calls.requests(round);
        await callClosed({ url: service.url, connections: size.callers, requests, check: isResult });
        megabytes.push(residentMb(service.child));
      }
      resident.set(name, megabytes);
      await stop(service.child);
      const own: number[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        const again = await startService(dataDir, options);
        own.push(again.readyMs);
        await stop(again.child);
      }
      ready.set(name, own);
    }
    const shared = { part: "the service", better: "lower" } as const;
    return [
      ...figuresOf({
        ...shared,
        measure: "start to ready",
        unit: "ms",
        goals: { [ownName]: { of: "value", atMost: 250 } },
        rounds: ready,
      }),
      ...figuresOf({
        ...shared,
        measure: "resident",
        unit: "MB",
        goals: { [ownName]: { of: "value", atMost: 150 } },
        rounds: resident,
      }),
    ];
  },
};
