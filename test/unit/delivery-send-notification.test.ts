import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  createConnectionPools,
  type ConnectionPools,
} from "../../runtime/events/transport/connection-pools.ts";
import {
  createNotificationSender,
  type NotificationSender,
} from "../../runtime/events/dispatch/send-notification.ts";
import type { DeliveryJob } from "../../runtime/events/model/queues.ts";
import { createWebhookClient } from "../../runtime/events/transport/webhook-client.ts";
import { createServiceKeys } from "../../runtime/events/signing/service-keys.ts";
import { createSigningPool, type SigningPool } from "../../runtime/events/signing/signing-pool.ts";
import { createMemoryStore } from "../bank-stores.ts";
import { startReceiver, type Receiver, type Received } from "../e2e/receiver.ts";
import { bank } from "../store-contract/samples.ts";
import {
  accountUpdate,
  formerSecret,
  seal,
  secret,
  startMs,
  steppingClock,
  subscriptionTo,
  type SteppingClock,
} from "./delivery-harness.ts";

let clock: SteppingClock;
let receiver: Receiver;
let pools: ConnectionPools;
let signingPool: SigningPool;
let sender: NotificationSender;

beforeEach(async () => {
  clock = steppingClock();
  receiver = await startReceiver();
  pools = createConnectionPools(clock, {
    resolver: { resolve: async () => ["127.0.0.1"] },
    networksAllowed: ["127.0.0.0/8"],
    portsAllowed: [],
    connectTimeoutMs: 600_000,
  });
  signingPool = createSigningPool();
  sender = createNotificationSender({
    client: createWebhookClient({ pools, clock, timeoutMs: 15_000 }),
    keys: createServiceKeys({ store: createMemoryStore(), sealer: seal, clock }),
    signingPool,
    sealer: seal,
    clock,
    userAgent: "tests",
    httpCallbacks: true,
  });
});
afterEach(async () => {
  await pools.close();
  await signingPool.close();
  await receiver.close();
});

function job(index = 0, subscription: Partial<DeliveryJob["subscription"]> = {}): DeliveryJob {
  const event = { ...accountUpdate(`e-${index}`, startMs), publishedAt: startMs };
  return {
    event,
    delivery: {
      id: `d-${index}`,
      institutionId: bank.id,
      subscriptionId: "s-1",
      eventId: event.id,
      eventName: event.name,
      topics: event.topics,
      sequence: index + 1,
      generation: 0,
      state: "PENDING",
      attempts: 0,
      failures: 0,
      dueAt: startMs,
      createdAt: startMs,
    },
    subscription: { ...subscriptionTo(receiver.url, "s-1", startMs), ...subscription },
  };
}

/** When a notification says that it was sent, checked with the published library at that time. */
function sentAt({ body, headers }: Received, by = secret): number {
  const timeMs = Number(headers["webhook-timestamp"]) * 1_000;
  const realNow = Date.now;
  Date.now = () => timeMs;
  try {
    new Webhook(by).verify(body, { ...headers });
  } finally {
    Date.now = realNow;
  }
  return timeMs;
}

async function received(count: number): Promise<readonly Received[]> {
  return (await receiver.until(count)).toSorted((left, right) => left.json.sequence - right.json.sequence);
}

test.each([1, 256])("of %i signed ahead, none says that it was sent long before it was", async (count) => {
  const fresh = Array.from({ length: count }, (_, index) => job(index));
  const stale = Array.from({ length: count }, (_, index) => job(count + index));
  for (const ahead of stale) sender.prepare(ahead);
  clock.pass(1_000);
  for (const ahead of fresh) sender.prepare(ahead);
  clock.pass(10_000);
  const outcomes = await Promise.all([...fresh, ...stale].map((each) => sender.send(each)));
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([204]));
  const times = (await received(2 * count)).map((each) => sentAt(each));
  expect(times.slice(0, count), "signed ten seconds before").toEqual(fresh.map(() => startMs + 1_000));
  expect(times.slice(count), "signed eleven seconds before").toEqual(stale.map(() => startMs + 11_000));
});

test("what was signed before the clock was set back is signed anew", async () => {
  const ahead = job();
  sender.prepare(ahead);
  clock.pass(-60_000);
  await sender.send(ahead);
  expect((await received(1)).map((each) => sentAt(each))).toEqual([startMs - 60_000]);
});

test("a job that is sent again says when", async () => {
  const twice = job();
  sender.prepare(twice);
  await sender.send(twice);
  clock.pass(5_000);
  await sender.send(twice);
  expect((await received(2)).map((each) => sentAt(each))).toEqual([startMs, startMs + 5_000]);
});

test("both secrets sign until the former one's time is over", async () => {
  const rotated = { formerSecretSealed: seal.seal(formerSecret), formerSecretUntil: startMs + 60_000 };
  await sender.send(job(0, rotated));
  clock.pass(60_000);
  await sender.send(job(1, rotated));
  const [during, after] = await received(2);
  if (during === undefined || after === undefined) throw new Error("not all arrived");
  expect([sentAt(during), sentAt(during, formerSecret)]).toEqual([startMs, startMs]);
  expect(sentAt(after)).toBe(startMs + 60_000);
  expect(() => sentAt(after, formerSecret)).toThrow(/No matching signature/);
});

test("a secret that cannot be read fails the sending, not the signing ahead of it", async () => {
  await sender.send(job());
  const broken = job(1, { secretSealed: "sealed by somebody else" });
  sender.prepare(broken);
  await expect(sender.send(broken)).rejects.toThrow();
});
