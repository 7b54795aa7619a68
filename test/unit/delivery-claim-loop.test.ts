import { expect, test } from "vitest";
import { createBackpressure } from "../../runtime/delivery/dispatch/backpressure.ts";
import { startClaimLoop } from "../../runtime/delivery/dispatch/claim-loop.ts";
import { claimCapacityOf } from "../../runtime/delivery/dispatch/claim-capacity.ts";
import { leaseOf } from "../../runtime/delivery/dispatch/lease.ts";
import { createSubscriptionQueues } from "../../runtime/delivery/dispatch/subscription-queues.ts";
import { createClaimTransactions } from "../../runtime/delivery/model/claim-transactions.ts";
import { createMemoryStore } from "../../runtime/storage/memory/index.ts";
import type { DeliveryJob } from "../../runtime/delivery/model/delivery-job.ts";
import { delivery, event, subscription } from "../store-contract/delivery-samples.ts";
import { steppingClock } from "./delivery-harness.ts";

test("the claim loop ends when it is closed during a refill", async () => {
  const clock = steppingClock();
  const memory = createMemoryStore();
  const [begun, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const failures: unknown[] = [];
  const queues = createSubscriptionQueues({
    clock,
    backpressure: createBackpressure(),
    isOnlyProcess: false,
    onActive: () => undefined,
  });
  const loop = startClaimLoop({
    transactions: createClaimTransactions(
      {
        ...memory,
        transact: async (work, options) => {
          begun.resolve();
          await finish.promise;
          return memory.transact(work, options);
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
  const queues = createSubscriptionQueues({
    clock,
    backpressure: createBackpressure(),
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
});
