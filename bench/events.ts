/**
 * `npm run events:bench` measures how fast committed events arrive, in turns with loops that post the same bodies
 * with undici. It also measures the time from commit to receipt at a steady rate, and the memory that many deliveries
 * leave behind. The receiver is a process of its own.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { OutboxEventRecord } from "../runtime/store/ports/index.ts";
import { eventsOf, numbersOf, quantiles, startService, untilIdle } from "./events-service.ts";
import { benchThroughput } from "./events-throughput.ts";
import { outboxEvents } from "../runtime/store/tables/index.ts";

const throughput = {
  rounds: Number(process.env["ROUNDS"] ?? 7),
  warmUpRounds: Number(process.env["WARM_UP"] ?? 4),
  eventsARound: Number(process.env["EVENTS"] ?? 8_000),
  accountCount: 200,
};
/** The service's default at once, and as in a loop that waits for each answer. */
const settings = [
  { concurrency: 32, isProduction: true },
  { concurrency: 32, isProduction: false },
  { concurrency: 1, isProduction: false },
];
const steadyPerSecond = 200;
const steadySeconds = Number(process.env["STEADY_SECONDS"] ?? 10);
const memoryDeliveries = Number(process.env["MEMORY_DELIVERIES"] ?? 100_000);

for (const setting of settings) await benchThroughput({ ...throughput, ...setting });

const numbers = numbersOf(throughput.accountCount);
const service = await startService(({ origin }) => [{ callbackUrl: `${origin}/hook`, groupId: numbers }], {
  originConcurrency: 32,
  areFailuresShown: true,
  isProduction: false,
});
const { store, delivery, receiver } = service;
try {
  await benchLatency();
  await benchMemory();
} finally {
  await service.close();
}

async function benchLatency(): Promise<void> {
  const events = eventsOf(numbers, steadyPerSecond * steadySeconds);
  const received = receiver.expect(events.length);
  const committedAt = new Map<string, number>();
  const startedAt = performance.now();
  const commits: Promise<void>[] = [];
  const commit = async (event: OutboxEventRecord): Promise<void> => {
    await store.write((tx) => tx.insert(outboxEvents, event));
    committedAt.set(event.id, performance.timeOrigin + performance.now());
    delivery.pollOutbox();
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
      await store.write(async (tx) => {
        for (const event of eventsOf(numbers, Math.min(500, batch - sent)))
          await tx.insert(outboxEvents, event);
      });
      delivery.pollOutbox();
    }
    await received;
    await untilIdle(store);
    globalThis.gc?.();
    const { heapUsed, rss } = process.memoryUsage();
    megabytes.push(`${(heapUsed / 2 ** 20).toFixed(0)}/${(rss / 2 ** 20).toFixed(0)}`);
  }
  const uncollected = globalThis.gc === undefined ? " (no --expose-gc)" : "";
  console.log(`  heap/resident MiB: ${megabytes.join("  ")}${uncollected}`);
}
