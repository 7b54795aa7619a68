import { runContest, type Contestant } from "../harness/contest.ts";
import type { Figure, Goal } from "../harness/figures.ts";
import { callClosed } from "../harness/http-load.ts";
import { stop, temporaryFolder } from "../harness/processes.ts";
import { ownName, startService, type Service } from "../harness/service.ts";
import type { Part } from "./part.ts";
import {
  accountIs,
  addAccounts,
  answerOf,
  callsOf,
  contestantSide,
  floorName,
  floorSide,
  getAccounts,
  isResult,
  serviceSide,
  type Calls,
} from "./sides.ts";

const size = { callers: 32, perRound: 4_000 };

const others = [
  ["Fastify + Ajv", "fastify"],
  ["Express + Ajv", "express"],
  ["json-rpc-2.0 + Ajv", "json-rpc-2.0"],
  ["jayson + Ajv", "jayson"],
] as const;

const byHand = ["node:http by hand, no checks", "by-hand"] as const;

/** Signed reads: the least they can cost, the service, and other servers that do the same work. */
export const reads: Part = {
  name: "reads",
  title: "signed GetAccount beside the floor and other servers",
  measure: async ({ rounds, beside, progress }) => {
    const service = await startService(temporaryFolder());
    const calls = getAccounts(service, size);
    const answer = await answerOf(service, calls);
    const account: object = JSON.parse(answer).result.account;
    const quiet = { env: { ...process.env, LEDGER_LOG_LEVEL: "warn" } };
    const sides = [
      await floorSide(service, calls, answer),
      await ownSide(ownName, service),
      await ownSide(`${ownName}, no log`, await startService(temporaryFolder(), quiet)),
    ];
    if (beside !== undefined)
      sides.push(await ownSide("beside", await startService(temporaryFolder(), { checkout: beside })));
    for (const [name, program] of [byHand, ...others]) {
      sides.push(await contestantSide(name, program, service, calls, account));
      sides.push(await contestantSide(`${name}, log`, program, service, calls, account));
    }
    const found = await runContest(sides, {
      part: "signed GetAccount",
      floor: floorName,
      base: ownName,
      cpuGoals: { [ownName]: { of: "ratio", atMost: 1.25 } },
      throughputGoals: Object.fromEntries(
        others.map(([name]): [string, Goal] => [name, { of: "ratio", atMost: 1 / 1.15 }]),
      ),
      rounds,
      perRound: calls.perRound,
      progress,
    });
    await end(sides);
    return found;
  },
};

/** Other calls of the service, each beside the floor with an answer of the same size. */
export const calls: Part = {
  name: "calls",
  title: "other signed calls beside the floor",
  measure: async ({ rounds, progress }) => {
    const figures: Figure[] = [];
    for (const [part, ofService] of [
      ["signed UpdateShareHolder", updateShareHolder],
      ["signed ListAccounts of 15", listAccounts],
    ] as const) {
      const service = await startService(temporaryFolder());
      await fillList(service, 15);
      const own = ofService(service);
      const sides = [
        await floorSide(service, own, await answerOf(service, own)),
        serviceSide(ownName, service, own, isResult),
      ];
      const goals = { [ownName]: { of: "ratio", atMost: 1.6 } } as const;
      const contest = {
        part,
        floor: floorName,
        base: ownName,
        cpuGoals: goals,
        rounds,
        perRound: own.perRound,
        progress,
      };
      figures.push(...(await runContest(sides, contest)));
      await end(sides);
    }
    return figures;
  },
};

async function ownSide(name: string, service: Service): Promise<Contestant> {
  const own = getAccounts(service, size);
  const account: object = JSON.parse(await answerOf(service, own)).result.account;
  return serviceSide(name, service, own, accountIs(service.access.samples.accountId, account));
}

async function end(sides: readonly Contestant[]): Promise<void> {
  for (const { child } of sides) await stop(child);
}

function listAccounts(service: Service): Calls {
  const payload = { PageNumber: 1, PageSize: 15, filter: "" };
  return callsOf(service, "AccountService.ListAccounts", () => payload, { ...size, perRound: 1_500 });
}

function updateShareHolder(service: Service): Calls {
  const { shareHolderId, businessCustomerId } = service.access.samples;
  const payload = (n: number) => ({
    Id: shareHolderId,
    customerId: businessCustomerId,
    name: `Holder ${n}`,
    identification: { type: "SSN", value: "123456789" },
    contact: { email: "holder@example.com", phoneNumber: "+14155550100" },
    address: { country: "US", addressLine1: "1 Main Street", city: "Springfield", state: "IL", zip: "62701" },
  });
  return callsOf(service, "CustomerService.UpdateShareHolder", payload, { ...size, perRound: 1_500 });
}

async function fillList(service: Service, count: number): Promise<void> {
  const { url } = service;
  const { requests } = addAccounts(service, { callers: 1, perRound: count });
  await callClosed({ url, connections: 1, requests: requests(0), check: isResult });
}
