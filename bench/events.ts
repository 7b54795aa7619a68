/**
 * `node bench/events.ts`: how fast committed events arrive, beside a loop that only posts the same bodies with undici
 * to the same receiver, in turns; how long one takes from its commit to its receipt at a steady rate; and what memory
 * many deliveries leave behind. The receiver is a process of its own.
 */
import { fork, type ChildProcess } from "node:child_process";
import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { startEventDelivery, type EventDelivery } from "../runtime/events/index.ts";
import { notificationBody } from "../runtime/events/notification.ts";
import { readSecret, signWebhook, type SignedWebhook } from "../runtime/events/webhook-signature.ts";
import type { OutboxEventRecord, Store } from "../runtime/ports/index.ts";
import { openSqliteStore } from "../runtime/storage/sqlite/index.ts";
import { idSource, sealer, systemClock } from "../runtime/system/index.ts";
import { account, accountWith, bank, insertParties, user } from "../test/store-contract/samples.ts";

const rounds = Number(process.env["ROUNDS"] ?? 7);
const eventsARound = Number(process.env["EVENTS"] ?? 4_000);
const concurrency = 32;
const steadyPerSecond = 200;
const steadySeconds = Number(process.env["STEADY_SECONDS"] ?? 10);
const memoryDeliveries = Number(process.env["MEMORY_DELIVERIES"] ?? 100_000);
const accountCount = 200;

const clock = systemClock;
const ids = idSource(clock);
const seal = sealer(new Uint8Array(32).fill(7));
const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;

const folder = mkdtempSync(join(tmpdir(), "bench-events-"));
const store = await openSqliteStore({ file: join(folder, "ledger.sqlite"), migrate: true });
const receiver = await startReceiver();
try {
  await fill(store, `http://127.0.0.1:${receiver.port}/hook`);
  const delivery = await startEventDelivery({
    store,
    clock,
    ids,
    sealer: seal,
    userAgent: "bench",
    isOnlyProcess: true,
    renderMail: ({ to }) => ({ to, subject: "", text: "" }),
    onMail: () => undefined,
    settings: {
      httpCallbacks: true,
      networksAllowed: ["127.0.0.0/8"],
      portsAllowed: [],
      concurrency: 512,
      originConcurrency: concurrency,
      timeoutMs: 15_000,
      retentionDays: 30,
    },
    observer: {
      attempted: (_delivery, { failure, detail }) => {
        if (failure !== undefined) console.error("an attempt failed:", failure, detail);
      },
      deadLetter: () => undefined,
      disabled: () => undefined,
      failed: (error) => console.error(error),
    },
  });
  await benchThroughput(delivery);
  await benchLatency(delivery);
  await benchMemory(delivery);
  await delivery.close(1_000);
} finally {
  receiver.child.kill();
  await store.close();
  rmSync(folder, { recursive: true });
}

interface BenchReceiver {
  readonly child: ChildProcess;
  readonly port: number;
  /** Resolves with the times of receipt once it has received so many more. */
  expect(count: number): Promise<readonly number[]>;
}

async function startReceiver(): Promise<BenchReceiver> {
  const child = fork(join(import.meta.dirname, "events-receiver.ts"));
  const [port] = await once(child, "message");
  return {
    child,
    port: Number(port),
    async expect(count) {
      child.send(count);
      const [times] = await once(child, "message");
      return times;
    },
  };
}

async function fill(target: Store, callbackUrl: string): Promise<void> {
  await target.transact(async (tx) => {
    await insertParties(tx);
    for (let index = 0; index < accountCount; index += 1) await tx.accounts.insert(accountWith(`a${index}`));
    await tx.subscriptions.insert({
      id: "bench",
      institutionId: bank.id,
      userName: user.userName,
      name: "Bench",
      callbackUrl,
      events: ["Transaction.NEW"],
      groupId: Array.from({ length: accountCount }, (_, index) => numberOf(index)),
      secretSealed: seal.seal(secret),
      enabled: true,
      ordered: false,
      createdAt: clock.now(),
      updatedAt: clock.now(),
    });
  });
}

function numberOf(index: number): string {
  return accountWith(`a${index % accountCount}`).number;
}

function eventOf(index: number): OutboxEventRecord {
  const id = ids.id();
  return {
    id,
    institutionId: bank.id,
    name: "Transaction.NEW",
    source: "ledger",
    accountNumbers: [numberOf(index)],
    customerId: account.customerId,
    payloadJson: JSON.stringify({
      type: "TRANSFER",
      mode: "ACH",
      Status: "COMPLETED",
      ReferenceId: `INV-2026-${index}`,
      TransactionId: id,
      TimeStamp: new Date(clock.now()).toISOString(),
      credit: false,
      InstructedAmount: { Amount: 1250.75, Currency: "USD" },
      CustomerId: account.customerId,
    }),
    createdAt: clock.now(),
  };
}

interface Side {
  readonly perSecond: number;
  /** Of this process: microseconds of CPU time for each notification. */
  readonly cpuMicroseconds: number;
}

async function benchThroughput(delivery: EventDelivery): Promise<void> {
  const sides: { readonly loop: Side; readonly events: Side }[] = [];
  // The first round warms both up and is not counted. Then each side goes first in every other one.
  for (let round = 0; round <= rounds; round += 1) {
    const events = Array.from({ length: eventsARound }, (_, index) => eventOf(index));
    const requests = await signedBeforehand(events);
    const loopFirst = round % 2 === 0 ? await postAll(requests) : undefined;
    const delivered = await deliverAll(delivery, events);
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
  const sorted = values.toSorted((a, b) => a - b);
  return [0, Math.floor(sorted.length / 2), sorted.length - 1].map((index) => sorted[index] ?? 0);
}

/** Commits events, then lets them go; the time is from there to the last receipt. */
async function deliverAll(delivery: EventDelivery, events: readonly OutboxEventRecord[]): Promise<Side> {
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

function signedBeforehand(events: readonly OutboxEventRecord[]): Promise<readonly SignedWebhook[]> {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const webhookKey = generateKeyPairSync("ed25519").privateKey;
  const keys = { secrets: [readSecret(secret)], privateKey: webhookKey };
  const signature = sign("sha256", Buffer.from("payload"), privateKey).toString("base64");
  return Promise.all(
    events.map((event, index) => {
      const sequence = Math.floor(index / accountCount);
      const delivery = { subscriptionId: "bench", accountNumbers: event.accountNumbers, sequence };
      return signWebhook(ids.id(), clock.now(), notificationBody(event, delivery, signature), keys);
    }),
  );
}

/** The loop: posts the same bodies with the same headers, as many at once, signed before the time begins. */
async function postAll(requests: readonly SignedWebhook[]): Promise<Side> {
  const pool = new Pool(`http://127.0.0.1:${receiver.port}`, { connections: concurrency });
  let next = 0;
  const post = async (): Promise<void> => {
    for (let request = requests[next]; request !== undefined; request = requests[next]) {
      next += 1;
      const { body } = await pool.request({
        path: "/hook",
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": "bench", ...request.headers },
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

async function benchLatency(delivery: EventDelivery): Promise<void> {
  const count = steadyPerSecond * steadySeconds;
  const received = receiver.expect(count);
  const committedAt: number[] = [];
  const startedAt = performance.now();
  const commits: Promise<void>[] = [];
  const commit = async (index: number): Promise<void> => {
    await store.transact((tx) => tx.outboxEvents.insert(eventOf(index)));
    committedAt.push(performance.timeOrigin + performance.now());
    delivery.relay();
  };
  for (let index = 0; index < count; index += 1) {
    const due = startedAt + (index * 1_000) / steadyPerSecond;
    if (due > performance.now()) await sleep(due - performance.now());
    commits.push(commit(index));
  }
  await Promise.all(commits);
  const times = await received;
  const latencies = times
    .toSorted((a, b) => a - b)
    .map((time, index) => time - (committedAt[index] ?? time))
    .toSorted((a, b) => a - b);
  const at = (share: number): string => (latencies[Math.floor(latencies.length * share)] ?? 0).toFixed(1);
  console.log(`from commit to receipt, ${steadyPerSecond} events a second for ${steadySeconds} s`);
  console.log(`  p50 ${at(0.5)} ms (target 20), p99 ${at(0.99)} ms (target 150), most ${at(0.9999)} ms`);
}

async function benchMemory(delivery: EventDelivery): Promise<void> {
  console.log(`memory over ${memoryDeliveries} deliveries, after each tenth`);
  const megabytes: string[] = [];
  const batch = Math.ceil(memoryDeliveries / 10);
  for (let tenth = 0; tenth < 10; tenth += 1) {
    const received = receiver.expect(batch);
    for (let sent = 0; sent < batch; sent += 500) {
      await store.transact(async (tx) => {
        for (let index = 0; index < Math.min(500, batch - sent); index += 1)
          await tx.outboxEvents.insert(eventOf(index));
      });
      delivery.relay();
    }
    await received;
    await idle();
    globalThis.gc?.();
    const { heapUsed, rss } = process.memoryUsage();
    megabytes.push(`${(heapUsed / 2 ** 20).toFixed(0)}/${(rss / 2 ** 20).toFixed(0)}`);
  }
  console.log(
    `  heap/resident MiB: ${megabytes.join("  ")}${globalThis.gc === undefined ? " (no --expose-gc)" : ""}`,
  );
}
