import { randomFrom, type Random } from "./random.ts";

/** The cost of one call, in ms of CPU time, and how long its commit takes. */
export interface OperationCost {
  readonly name: string;
  /** Share of all calls: 0 to 1. */
  readonly share: number;
  readonly serviceMs: number;
  readonly databaseMs: number;
  readonly writes: boolean;
}

/** Everything that the projection takes for granted. docs/internals/measurements.md gives the reason of each value. */
export interface Assumptions {
  readonly seed: number;
  readonly accounts: number;
  readonly callsPerSecond: number;
  readonly institutions: number;
  /** Exponent of Zipf's law: how unequal institutions are. */
  readonly skew: number;
  readonly operations: readonly OperationCost[];
  /** Cores of a cluster's service processes, and of its primary. */
  readonly serviceCores: number;
  readonly databaseCores: number;
  /** Median time until a commit is on the disks of primary and standby. */
  readonly commitMs: number;
  /** Round trips between service and database of a read and of a write, and how long one takes. */
  readonly roundTrips: { readonly read: number; readonly write: number };
  readonly roundTripMs: number;
  /** Share of the transactions that run twice because they met. */
  readonly repeated: number;
  /** Share of the reads that miss the database's memory, and what that costs. */
  readonly misses: number;
  readonly missMs: number;
  readonly bytesPerAccount: number;
  /** Copies of the data: primary and standbys. */
  readonly copies: number;
  readonly dollarsPerCoreMonth: number;
  readonly dollarsPerGbMonth: number;
  /** Simulated time. */
  readonly seconds: number;
}

export interface Projection {
  readonly clusters: number;
  readonly busiestService: number;
  readonly busiestDatabase: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Calls a second that were answered within a second. */
  readonly answeredPerSecond: number;
  readonly gbPerCluster: number;
  readonly dollarsPerMonth: number;
  readonly dollarsPerMillionCalls: number;
}

const answeredWithinMs = 1_000;
const secondsPerMonth = 30 * 86_400;

/** Shares of the institutions by Zipf's law, the largest first. */
export function institutionShares({ institutions, skew }: Assumptions): readonly number[] {
  const weights = Array.from({ length: institutions }, (_, rank) => (rank + 1) ** -skew);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** The share of the whole that each cluster has: institutions, the largest first, go where the least is. */
export function clusterShares(shares: readonly number[], clusters: number): readonly number[] {
  const loads = Array.from({ length: clusters }, () => 0);
  for (const share of shares) {
    const least = loads.indexOf(Math.min(...loads));
    loads[least] = (loads[least] ?? 0) + share;
  }
  return loads;
}

/** Runs every cluster for some seconds of calls at random, each a queue before the service and one before the database. */
export function project(assumptions: Assumptions, clusters: number): Projection {
  const { callsPerSecond, seconds, seed, serviceCores, databaseCores } = assumptions;
  const loads = clusterShares(institutionShares(assumptions), clusters);
  const random = randomFrom(seed);
  const latencies = loads.flatMap((share) => simulate(assumptions, callsPerSecond * share, random));
  latencies.sort((a, b) => a - b);
  const at = (part: number): number => latencies[Math.floor(part * (latencies.length - 1))] ?? 0;
  const busiest = Math.max(...loads) * callsPerSecond;
  const gb = (assumptions.accounts * assumptions.bytesPerAccount) / 1e9;
  const cores = clusters * (serviceCores + databaseCores * assumptions.copies);
  const dollars =
    cores * assumptions.dollarsPerCoreMonth + gb * assumptions.copies * assumptions.dollarsPerGbMonth;
  const answered = latencies.filter((ms) => ms <= answeredWithinMs).length / seconds;
  return {
    clusters,
    busiestService: (busiest * meanOf(assumptions, "serviceMs")) / 1000 / serviceCores,
    busiestDatabase: (busiest * meanOf(assumptions, "databaseMs")) / 1000 / databaseCores,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    answeredPerSecond: answered,
    gbPerCluster: gb * Math.max(...loads),
    dollarsPerMonth: dollars,
    dollarsPerMillionCalls: (dollars / (callsPerSecond * secondsPerMonth)) * 1e6,
  };
}

/** CPU ms of a call on average, its repetitions included. */
function meanOf({ operations, repeated }: Assumptions, part: "serviceMs" | "databaseMs"): number {
  return operations.reduce(
    (sum, operation) => sum + operation.share * operation[part] * (operation.writes ? 1 + repeated : 1),
    0,
  );
}

interface Call {
  readonly arrivedMs: number;
  readonly operation: OperationCost;
  readonly runs: number;
  readyMs: number;
}

/** Latencies in ms of one cluster's calls. */
function simulate(assumptions: Assumptions, perSecond: number, random: Random): readonly number[] {
  const { seconds, operations, repeated, serviceCores, databaseCores } = assumptions;
  const calls: Call[] = [];
  for (let ms = random.exponential(1000 / perSecond); ms < seconds * 1000;) {
    const operation = random.pick(operations);
    const runs = operation.writes && random.uniform() < repeated ? 2 : 1;
    calls.push({ arrivedMs: ms, operation, runs, readyMs: ms });
    ms += random.exponential(1000 / perSecond);
  }
  queue(calls, serviceCores, ({ operation, runs }) => random.around(operation.serviceMs) * runs);
  calls.sort((a, b) => a.readyMs - b.readyMs);
  queue(calls, databaseCores, ({ operation, runs }) => random.around(operation.databaseMs) * runs);
  return calls.map((call) => call.readyMs - call.arrivedMs + waitsOf(assumptions, call, random));
}

/** First come, first served, by so many cores. */
function queue(calls: readonly Call[], cores: number, workMs: (call: Call) => number): void {
  const freeAtMs = Array.from({ length: cores }, () => 0);
  for (const call of calls) {
    const next = Math.min(...freeAtMs);
    const core = freeAtMs.indexOf(next);
    call.readyMs = Math.max(call.readyMs, next) + workMs(call);
    freeAtMs[core] = call.readyMs;
  }
}

/** The waits that take no core: the network, the disk. */
function waitsOf(assumptions: Assumptions, { operation, runs }: Call, random: Random): number {
  const { roundTrips, roundTripMs, commitMs, misses, missMs } = assumptions;
  const trips = (operation.writes ? roundTrips.write : roundTrips.read) * runs * roundTripMs;
  const miss = random.uniform() < misses ? random.around(missMs) : 0;
  return trips + miss + (operation.writes ? random.around(commitMs) : 0);
}
