import { generateKeyPairSync } from "node:crypto";
import { Pool } from "undici";
import { createSigningPool } from "../runtime/events/signing/signing-pool.ts";
import { notificationHeaders, readSecret } from "../runtime/events/signing/signed-notification.ts";
import type { OutboxEventRecord } from "../runtime/store/ports/index.ts";
import {
  clock,
  eventsOf,
  ids,
  numbersOf,
  quantiles,
  secret,
  startService,
  untilIdle,
  type BenchService,
} from "./events-service.ts";
import { outboxEvents } from "../runtime/store/tables/index.ts";

export interface ThroughputOptions {
  /** Requests under way at once, on each side. */
  readonly concurrency: number;
  readonly isProduction: boolean;
  readonly accountCount: number;
  readonly eventsARound: number;
  readonly rounds: number;
  /** Rounds before these that are not counted: what runs for long is compiled better. */
  readonly warmUpRounds: number;
}

const sides = {
  loop: { title: "a loop that only posts, /s", run: postSigned },
  signing: { title: "a loop that signs and posts, /s", run: signAndPost },
  events: { title: "events from the outbox, /s", run: deliver },
};
type SideName = keyof typeof sides;
const sideNames = ["loop", "signing", "events"] as const satisfies readonly SideName[];

/** The work of one side in one round. */
interface Done {
  readonly perSecond: number;
  /** Of this process: microseconds of CPU time for each notification. */
  readonly cpuMicroseconds: number;
}

/**
 * Compares events from the outbox with a loop that posts the same bodies, signed beforehand, and with one that also
 * signs them on a thread.
 */
export async function benchThroughput(options: ThroughputOptions): Promise<void> {
  const { concurrency, eventsARound, isProduction } = options;
  const numbers = numbersOf(options.accountCount);
  const service = await startService(({ origin }) => [{ callbackUrl: `${origin}/hook`, groupId: numbers }], {
    originConcurrency: concurrency,
    areFailuresShown: true,
    isProduction,
  });
  const done: Record<SideName, Done[]> = { loop: [], signing: [], events: [] };
  for (let round = 0; round < options.warmUpRounds + options.rounds; round += 1) {
    const events = eventsOf(numbers, eventsARound);
    for (const offset of sideNames.keys()) {
      // Each is the first in every third round.
      const name = sideNames[(round + offset) % sideNames.length] ?? "loop";
      const result = await sides[name].run(service, events, concurrency);
      if (round >= options.warmUpRounds) done[name].push(result);
    }
  }
  await service.close();
  report(done, options);
}

function report(done: Readonly<Record<SideName, readonly Done[]>>, options: ThroughputOptions): void {
  const { rounds, eventsARound, concurrency, isProduction } = options;
  const receiver = isProduction
    ? "speaks TLS and verifies, as in production"
    : "only answers, over plain http";
  console.log(`throughput, ${rounds} rounds of ${eventsARound} events, ${concurrency} at a time`);
  console.log(`to a receiver that ${receiver}`);
  console.log(`                                     least   median     most  CPU of this process`);
  for (const name of sideNames) {
    const cpu = median(done[name].map(({ cpuMicroseconds }) => cpuMicroseconds));
    const speeds = done[name].map(({ perSecond }) => perSecond);
    console.log(`  ${sides[name].title.padEnd(33)} ${spread(speeds, 0)}  ${cpu.toFixed(0)} µs each`);
  }
  for (const [name, over] of [
    ["events", "loop"],
    ["signing", "loop"],
    ["events", "signing"],
  ] as const) {
    const ratios = done[name].map(({ perSecond }, round) => perSecond / (done[over][round]?.perSecond ?? 0));
    const target = name === "events" && over === "loop" ? "  target: median 0.60" : "";
    console.log(`  ${`${name} to ${over}, within a round`.padEnd(33)} ${spread(ratios, 2)}${target}`);
  }
}

/** Least, median and most. */
function spread(values: readonly number[], digits: number): string {
  return quantiles(values, [0, 0.5, 1])
    .map((value) => value.toFixed(digits).padStart(8))
    .join(" ");
}

function median(values: readonly number[]): number {
  return quantiles(values, [0.5])[0] ?? 0;
}

interface Post {
  readonly headers: string[];
  readonly body: Buffer;
}

async function postSigned(
  service: BenchService,
  events: readonly OutboxEventRecord[],
  concurrency: number,
): Promise<Done> {
  const signatures = createSigningPool();
  const posts = await Promise.all(events.map(signing(signatures.sign)));
  await signatures.close();
  return timed(service, posts.length, () => postAll(service, concurrency, (index) => posts[index]));
}

/** How many signatures are asked for ahead of their posts. */
const signedAhead = 256;

async function signAndPost(
  service: BenchService,
  events: readonly OutboxEventRecord[],
  concurrency: number,
): Promise<Done> {
  const signatures = createSigningPool();
  const sign = signing(signatures.sign);
  const asked: (Promise<Post> | undefined)[] = [];
  const next = (index: number): Promise<Post> | undefined => {
    if (asked.length < index + signedAhead / 2) {
      asked.push(...events.slice(asked.length, index + signedAhead).map(sign));
    }
    const post = asked[index];
    asked[index] = undefined;
    return post;
  };
  const done = await timed(service, events.length, () => postAll(service, concurrency, next));
  await signatures.close();
  return done;
}

/** Commits events, then lets them go; the time is from there to the last receipt. */
async function deliver(service: BenchService, events: readonly OutboxEventRecord[]): Promise<Done> {
  await service.store.write(async (tx) => {
    for (const event of events) await tx.insert(outboxEvents, event);
  });
  const done = await timed(service, events.length, async () => service.delivery.pollOutbox());
  await untilIdle(service.store);
  return done;
}

async function timed({ receiver }: BenchService, count: number, work: () => Promise<void>): Promise<Done> {
  const received = receiver.expect(count);
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await Promise.all([received, work()]);
  const elapsedMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { perSecond: (count * 1_000) / elapsedMs, cpuMicroseconds: (user + system) / count };
}

const payloadKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const webhookKey = generateKeyPairSync("ed25519").privateKey;
const secrets = [readSecret(secret)];

/** Makes the notification of an event. */
function signing(sign: ReturnType<typeof createSigningPool>["sign"]) {
  return async (event: OutboxEventRecord): Promise<Post> => {
    const { topics } = event;
    const delivery = { id: ids.id(), subscriptionId: "bench-0", topics, sequence: 1 };
    const timeMs = clock.now();
    const { body, signature } = await sign({ event, delivery, timeMs, payloadKey, webhookKey, secrets });
    return { headers: notificationHeaders("bench", delivery.id, timeMs, signature), body };
  };
}

/** Posts what `next` gives, as many at once, until it gives nothing. */
async function postAll(
  { receiver }: BenchService,
  concurrency: number,
  next: (index: number) => Promise<Post> | Post | undefined,
): Promise<void> {
  const { url, certificate } = receiver;
  const connect = certificate === undefined ? {} : { ca: certificate };
  const pool = new Pool(url.origin, { connections: concurrency, connect });
  let index = 0;
  const post = async (): Promise<void> => {
    for (let asked = next(index); asked !== undefined; asked = next(index)) {
      index += 1;
      const { headers, body } = asked instanceof Promise ? await asked : asked;
      const answer = await pool.request({ path: "/hook", method: "POST", headers, body });
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, post));
  await pool.close();
}
