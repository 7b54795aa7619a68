import { expect, test } from "vitest";
import { createBackpressure } from "../../runtime/events/dispatch/backpressure.ts";
import { startClaimLoop } from "../../runtime/events/dispatch/claim-loop.ts";
import {
  claimCapacityOf,
  createSubscriptionQueues,
} from "../../runtime/events/dispatch/subscription-queues.ts";
import { leaseOf, createClaimTransactions } from "../../runtime/events/model/claim-transactions.ts";
import { createSendLoops } from "../../runtime/events/dispatch/send-loop.ts";
import { createSubscriptionQueue } from "../../runtime/events/dispatch/subscription-queue.ts";
import { createSignal } from "../../runtime/events/model/loops.ts";
import { startOutcomeWriter } from "../../runtime/events/outcomes/outcome-writer.ts";
import { recordOutcomes } from "../../runtime/events/outcomes/record-outcomes.ts";
import { idSource, systemClock } from "../../runtime/operations/system/index.ts";
import { bank, insertParties } from "../store-contract/samples.ts";
import { until } from "../until.ts";
import { createMemoryStore } from "../bank-stores.ts";
import { notedVerbs } from "../noted-verbs.ts";
import type { DeliveryJob } from "../../runtime/events/model/queues.ts";
import { delivery, event, subscription } from "../store-contract/delivery-samples.ts";
import { seal, steppingClock } from "./delivery-harness.ts";
import {
  attemptsOfDelivery,
  deliveryAttempts,
  events,
  deliveries,
  deliveryById,
} from "../../runtime/store/tables/index.ts";
import { insertSubscription } from "../../ledger/books/subscriptions.ts";

test("the claim loop ends when it is closed during a refill", async () => {
  const clock = steppingClock();
  const memory = createMemoryStore();
  const [begun, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const failures: unknown[] = [];
  const queues = createSubscriptionQueues({
    clock,
    backpressure: createBackpressure(clock),
    isOnlyProcess: false,
    onActive: () => undefined,
  });
  const loop = startClaimLoop({
    transactions: createClaimTransactions(
      {
        ...memory,
        write: async (work, options) => {
          begun.resolve();
          await finish.promise;
          return memory.write(work, options);
        },
      },
      { clock, answerMsMax: 1_000 },
    ),
    clock,
    lease: leaseOf("process", 15_000),
    queues,
    duePoller: { wakeBy: () => undefined },
    onFailure: (error) => failures.push(error),
  });
  queues.markDue(["subscription"]);
  await begun.promise;
  const closed = loop.close();
  finish.resolve();
  await closed;
  expect(failures).toEqual([]);
});

test("jobs of one user take seven eighths of what a process claims; another user's are claimed beside them", async () => {
  const clock = steppingClock();
  const backpressure = createBackpressure(clock);
  for (let sent = 0; sent < 4_096; sent += 1) {
    backpressure.claimed("another");
    backpressure.started("another");
  }
  const queues = createSubscriptionQueues({
    clock,
    backpressure,
    isOnlyProcess: true,
    onActive: () => undefined,
  });
  let made = 0;
  const claim = (subscriptionId: string, userName: string, count: number): readonly DeliveryJob[] => {
    const jobs = Array.from({ length: count }, () => ({
      delivery: { ...delivery, id: `d${(made += 1)}`, subscriptionId },
      event,
      subscription: { ...subscription, id: subscriptionId, userName },
    }));
    queues.enqueue(jobs);
    return jobs;
  };
  const ofGreedy = ["g1", "g2", "g3", "g4", "g5"];
  const [first] = ofGreedy.map((id) => claim(id, "greedy", 1));
  for (const id of ofGreedy) Object.assign(queues.of(id).endpoint, { healthy: true, window: 4_096 });
  const refillAll = (): readonly string[] => {
    queues.markDue([...ofGreedy, "m1"]);
    const refills = queues.takeBelowLowWater(512);
    return refills.flatMap(({ queue: { subscriptionId }, limit }) => {
      claim(subscriptionId, subscriptionId === "m1" ? "modest" : "greedy", limit);
      return Array.from({ length: limit }, () => subscriptionId);
    });
  };
  const claimed: string[] = [];
  for (let batch = refillAll(); batch.length > 0; batch = refillAll()) claimed.push(...batch);
  expect(claimed.filter((id) => id === "m1")).toEqual(["m1"]);
  expect(claimed).toHaveLength(1 + 7_168 - 5);

  const room = claimCapacityOf(queues, clock, leaseOf("process", 15_000));
  expect(room.claim({ ...subscription, id: "g6", userName: "greedy" })).toBeUndefined();
  expect(room.claim({ ...subscription, id: "m2", userName: "modest" })).toBeDefined();

  queues.refill.reset();
  const stored = (first ?? []).map(
    (job) => ({ kind: "released", delivery: job.delivery, dueAt: 0 }) as const,
  );
  queues.recorded(stored, new Map());
  await queues.refill.wait();
  expect(room.claim({ ...subscription, id: "g6", userName: "greedy" })).toBeUndefined();
  expect(refillAll()).toHaveLength(1);
  expect(refillAll()).toEqual([]);

  // After a start no queue's user is known: the share is asked for once it is.
  queues.markDue(["g7"]);
  const [unknown] = queues.takeBelowLowWater(512);
  expect(unknown).toMatchObject({ queue: { subscriptionId: "g7" }, limit: 1 });
  expect(["greedy", "modest"].map((userName) => unknown?.grant?.(userName, 1))).toEqual([0, 1]);
});

test("a process does not claim again what it has in hand: it prolongs the claim, until the result is stored", async () => {
  const clock = steppingClock();
  const store = createMemoryStore();
  const lease = leaseOf("process", 15_000);
  const held = { ...delivery, state: "PENDING", claimedBy: "process", dueAt: clock.now() } as const;
  const { deliveredAt: _arrived, ...claimed } = held;
  await store.write(async (tx) => {
    await insertParties(tx);
    await insertSubscription(tx, { ...subscription, enabled: true });
    await tx.insert(events, event);
    await tx.insert(deliveries, claimed);
  });
  const backpressure = createBackpressure(clock);
  const queues = createSubscriptionQueues({ clock, backpressure, isOnlyProcess: true, onActive: () => {} });
  queues.enqueue([{ delivery: claimed, event, subscription }]);
  const queue = queues.of(subscription.id);
  // It is being sent, and its claim has ended.
  queue.jobs.length = 0;
  const failures: unknown[] = [];
  const loop = startClaimLoop({
    transactions: createClaimTransactions(store, { clock, answerMsMax: 1_000 }),
    clock,
    lease,
    queues,
    duePoller: { wakeBy: () => undefined },
    onFailure: (error) => failures.push(error),
  });
  const dueIn = async () => {
    const found = await store.read((view) => view.one(deliveryById, bank.id, delivery.id));
    return (found?.dueAt ?? 0) - clock.now();
  };
  queues.markDue([subscription.id]);
  await until(async () => (await dueIn()) === lease.claimMs);
  expect(queue.jobs).toEqual([]);

  clock.pass(lease.claimMs);
  const result = { kind: "released", delivery: claimed, dueAt: clock.now() } as const;
  queues.recorded([result], new Map());
  queues.markDue([subscription.id]);
  await until(async () => (await dueIn()) === lease.claimMs && queue.jobs.length > 0);
  expect(queue.jobs.map((job) => job.delivery.id)).toEqual([delivery.id]);
  await loop.close();
  expect(failures).toEqual([]);
});

test("what is given back is due at once without a poll of all subscriptions", async () => {
  const store = createMemoryStore();
  const at = { claimedBy: "process", dueAt: 60_000 };
  await store.write(async (tx) => {
    await insertParties(tx);
    await tx.insert(events, event);
    await tx.insert(deliveries, { ...delivery, state: "PENDING", ...at });
  });
  const result = { kind: "released", delivery: { ...delivery, ...at }, dueAt: 1_000 } as const;
  const options = { sealer: seal, ids: idSource(systemClock), nowMs: 1_000 };
  const followUps = await store.write((tx) => recordOutcomes(tx, [result], options));
  expect([[...followUps.due], followUps.nextDueAt]).toEqual([[delivery.subscriptionId], Infinity]);
});

test("the last hundred attempts of a delivery are kept, however often it is sent again", async () => {
  const store = createMemoryStore();
  const claimed = {
    ...delivery,
    state: "PENDING",
    claimedBy: "process",
    dueAt: 60_000,
    attempts: 100,
  } as const;
  const outcome = { startedAt: 1, durationMs: 1, responseTruncated: false, failure: "status" } as const;
  await store.write(async (tx) => {
    await insertParties(tx);
    await tx.insert(events, event);
    await tx.insert(deliveries, claimed);
    for (let number = 1; number <= 100; number += 1)
      await tx.insert(deliveryAttempts, { ...outcome, deliveryId: delivery.id, number });
  });
  const result = { kind: "attempted", delivery: claimed, callbackUrl: "", outcome } as const;
  const options = { sealer: seal, ids: idSource(systemClock), nowMs: 1_000 };
  await store.write((tx) => recordOutcomes(tx, [result], options));
  const kept = await store.read((view) => view.many(attemptsOfDelivery, delivery.id));
  expect(kept.map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_, index) => index + 2));
});

test("results are stored 256 in a transaction, however many wait", async () => {
  const store = createMemoryStore();
  const sizes: number[] = [];
  const writer = startOutcomeWriter({
    store: {
      ...store,
      write: (work) =>
        store.write((tx) => {
          const at = sizes.push(0) - 1;
          return work(
            notedVerbs(tx, (name) => {
              if (name === "update deliveries") sizes[at] = (sizes[at] ?? 0) + 1;
            }),
          );
        }),
    },
    clock: steppingClock(),
    sealer: seal,
    ids: idSource(systemClock),
    onRecorded: () => undefined,
    onFailure: (error) => expect.unreachable(String(error)),
  });
  for (let index = 0; index < 600; index += 1)
    writer.add({
      kind: "released",
      delivery: { ...delivery, id: `d${index}`, claimedBy: "process" },
      dueAt: 0,
    });
  await writer.close();
  expect(sizes).toEqual([256, 256, 88]);
});

test("of 600 queues that wait for a permit, 256 are checked at a time, and each in turn", async () => {
  const clock = steppingClock();
  const checked: string[] = [];
  const job = (id: string): DeliveryJob => ({
    delivery: { ...delivery, id, dueAt: clock.now() + 60_000 },
    event,
    subscription: { ...subscription, id },
  });
  const loops = createSendLoops({
    clock,
    lease: leaseOf("process", 15_000),
    checks: {
      check: async ({ subscription: { id } }) => {
        checked.push(id);
        return { kind: "current" };
      },
    },
    sender: {
      originOf: () => "http://127.0.0.1",
      prepare: () => undefined,
      send: nothing,
      cancelAll: () => undefined,
    },
    limiter: { tryAcquire: () => undefined, release: () => undefined, close: () => undefined },
    backpressure: createBackpressure(clock),
    results: { add: () => undefined },
    refill: createSignal(),
    originConcurrency: 32,
    attempted: () => undefined,
    onFailure: () => undefined,
  });
  for (let index = 0; index < 600; index += 1) {
    const queue = createSubscriptionQueue(`s${index}`, clock.now());
    queue.jobs.push(job(queue.subscriptionId));
    loops.start(queue);
  }
  const checkedOnce = (): number => new Set(checked).size;
  loops.checkQueued();
  expect(checkedOnce()).toBe(256);
  loops.checkQueued();
  loops.checkQueued();
  expect(checked).toHaveLength(3 * 256);
  expect(checkedOnce()).toBe(600);
  await loops.close(0);
});

function nothing(): never {
  return expect.unreachable("nothing is sent");
}
