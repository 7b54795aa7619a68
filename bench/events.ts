/**
 * `npm run events:bench`: how fast committed events arrive, beside a loop that only posts the same bodies with undici
 * to the same receiver, in turns; how long one takes from its commit to its receipt at a steady rate; and what memory
 * many deliveries leave behind. The receiver is a process of its own.
 */
import { generateKeyPairSync } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { createNotificationSigner } from "../runtime/events/signed-notification.ts";
import { notificationHeaders, readSecret } from "../runtime/events/webhook-signature.ts";
import type { OutboxEventRecord } from "../runtime/ports/index.ts";
import { clock, eventOf, ids, numberOf, quantiles, secret, startService } from "./events-service.ts";

const rounds = Number(process.env["ROUNDS"] ?? 7);
const eventsARound = Number(process.env["EVENTS"] ?? 4_000);
const concurrency = 32;
const steadyPerSecond = 200;
const steadySeconds = Number(process.env["STEADY_SECONDS"] ?? 10);
const memoryDeliveries = Number(process.env["MEMORY_DELIVERIES"] ?? 100_000);
const accountCount = 200;

const numbers = Array.from({ length: accountCount }, (_, index) => numberOf(index));
const service = await startService(
  (port) => [{ callbackUrl: `http://127.0.0.1:${port}/hook`, groupId: numbers }],
  { originConcurrency: concurrency, areFailuresShown: true },
);
const { store, delivery, receiver } = service;
try {
  await benchThroughput();
  await benchLatency();
  await benchMemory();
} finally {
  await service.close();
}

/** Events of all accounts in turns. */
function eventsOf(count: number): readonly OutboxEventRecord[] {
  return Array.from({ length: count }, (_, index) => eventOf(numbers[index % accountCount] ?? ""));
}

interface Side {
  readonly perSecond: number;
  /** Of this process: microseconds of CPU time for each notification. */
  readonly cpuMicroseconds: number;
}

async function benchThroughput(): Promise<void> {
  const sides: { readonly loop: Side; readonly events: Side }[] = [];
  // The first round warms both up and is not counted. Then each side goes first in every other one.
  for (let round = 0; round <= rounds; round += 1) {
    const events = eventsOf(eventsARound);
    const requests = signedBeforehand(events);
    const loopFirst = round % 2 === 0 ? await postAll(requests) : undefined;
    const delivered = await deliverAll(events);
    const loop = loopFirst ?? (await postAll(requests));
    if (round > 0) sides.push({ loop, events: delivered });
  }
  console.log(`throughput, ${rounds} rounds of ${eventsARound} events, ${concurrency} at a time`);
  console.log(`                              least   median     most  CPU of this process`);
  for (const [name, side] of [
    ["a loop that only posts", "loop"],
    ["events from the outbox", "events"],
  ] as const) {
    const all = spread(sides.map((round) => round[side].perSecond));
    const cpu = spread(sides.map((round) => round[side].cpuMicroseconds));
    console.log(
      `  ${name}, /s ${all.map((value) => value.toFixed(0).padStart(8)).join(" ")}  ${cpu[1]?.toFixed(0)} µs each`,
    );
  }
  const ratios = spread(sides.map(({ loop, events }) => events.perSecond / loop.perSecond));
  console.log(
    `  ratio within a round      ${ratios.map((value) => value.toFixed(2).padStart(8)).join(" ")}  target: median 0.60`,
  );
}

/** Least, median and most. */
function spread(values: readonly number[]): readonly number[] {
  return quantiles(values, [0, 0.5, 1]);
}

/** Commits events, then lets them go; the time is from there to the last receipt. */
async function deliverAll(events: readonly OutboxEventRecord[]): Promise<Side> {
  await store.transact(async (tx) => {
    for (const event of events) await tx.outboxEvents.insert(event);
  });
  const received = receiver.expect(events.length);
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  delivery.relay();
  await received;
  const elapsedMs = performance.now() - startedAt;
  await idle();
  return { perSecond: (events.length * 1_000) / elapsedMs, cpuMicroseconds: cpuSince(cpuBefore) };
}

/** Microseconds of CPU time of this process for each event of a round. */
function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / eventsARound;
}

/** Until everything is written down. */
async function idle(): Promise<void> {
  while ((await store.read((view) => view.deliveries.countComing("PENDING"))) > 0) await sleep(5);
}

interface SignedRequest {
  readonly headers: string[];
  readonly body: Buffer;
}

function signedBeforehand(events: readonly OutboxEventRecord[]): readonly SignedRequest[] {
  const payloadKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const webhookKey = generateKeyPairSync("ed25519").privateKey;
  const secrets = [readSecret(secret)];
  const sign = createNotificationSigner();
  return events.map((event, index) => {
    const sequence = Math.floor(index / accountCount);
    const { accountNumbers } = event;
    const delivery = { id: ids.id(), subscriptionId: "bench-0", accountNumbers, sequence };
    const timeMs = clock.now();
    const { body, signature } = sign({ event, delivery, timeMs, payloadKey, webhookKey, secrets });
    return { headers: notificationHeaders("bench", delivery.id, timeMs, signature), body };
  });
}

/** The loop: posts the same bodies with the same headers, as many at once, signed before the time begins. */
async function postAll(requests: readonly SignedRequest[]): Promise<Side> {
  const pool = new Pool(`http://127.0.0.1:${receiver.port}`, { connections: concurrency });
  let next = 0;
  const post = async (): Promise<void> => {
    for (let request = requests[next]; request !== undefined; request = requests[next]) {
      next += 1;
      const { body } = await pool.request({
        path: "/hook",
        method: "POST",
        headers: request.headers,
        body: request.body,
      });
      await body.dump();
    }
  };
  const received = receiver.expect(requests.length);
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await Promise.all([received, ...Array.from({ length: concurrency }, post)]);
  const elapsedMs = performance.now() - startedAt;
  const cpuMicroseconds = cpuSince(cpuBefore);
  await pool.close();
  return { perSecond: (requests.length * 1_000) / elapsedMs, cpuMicroseconds };
}

async function benchLatency(): Promise<void> {
  const events = eventsOf(steadyPerSecond * steadySeconds);
  const received = receiver.expect(events.length);
  const committedAt = new Map<string, number>();
  const startedAt = performance.now();
  const commits: Promise<void>[] = [];
  const commit = async (event: OutboxEventRecord): Promise<void> => {
    await store.transact((tx) => tx.outboxEvents.insert(event));
    committedAt.set(event.id, performance.timeOrigin + performance.now());
    delivery.relay();
  };
  for (const [index, event] of events.entries()) {
    const due = startedAt + (index * 1_000) / steadyPerSecond;
    if (due > performance.now()) await sleep(due - performance.now());
    commits.push(commit(event));
  }
  await Promise.all(commits);
  const latencies = (await received).map(({ timeMs, eventId }) => timeMs - (committedAt.get(eventId) ?? 0));
  const [p50, p99, most] = quantiles(latencies, [0.5, 0.99, 1]).map((value) => value.toFixed(1));
  console.log(`from commit to receipt, ${steadyPerSecond} events a second for ${steadySeconds} s`);
  console.log(`  p50 ${p50} ms (target 20), p99 ${p99} ms (target 150), most ${most} ms`);
}

async function benchMemory(): Promise<void> {
  console.log(`memory over ${memoryDeliveries} deliveries, after each tenth`);
  const megabytes: string[] = [];
  const batch = Math.ceil(memoryDeliveries / 10);
  for (let tenth = 0; tenth < 10; tenth += 1) {
    const received = receiver.expect(batch);
    for (let sent = 0; sent < batch; sent += 500) {
      await store.transact(async (tx) => {
        for (const event of eventsOf(Math.min(500, batch - sent))) await tx.outboxEvents.insert(event);
      });
      delivery.relay();
    }
    await received;
    await idle();
    globalThis.gc?.();
    const { heapUsed, rss } = process.memoryUsage();
    megabytes.push(`${(heapUsed / 2 ** 20).toFixed(0)}/${(rss / 2 ** 20).toFixed(0)}`);
  }
  const uncollected = globalThis.gc === undefined ? " (no --expose-gc)" : "";
  console.log(`  heap/resident MiB: ${megabytes.join("  ")}${uncollected}`);
}
