import { expect, test } from "vitest";
import { createBackpressure } from "../../runtime/delivery/dispatch/backpressure.ts";
import { startClaimLoop } from "../../runtime/delivery/dispatch/claim-loop.ts";
import { leaseOf } from "../../runtime/delivery/dispatch/lease.ts";
import { createSubscriptionQueues } from "../../runtime/delivery/dispatch/subscription-queues.ts";
import { createClaimTransactions } from "../../runtime/delivery/model/claim-transactions.ts";
import { createMemoryStore } from "../../runtime/storage/memory/index.ts";
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
    transactions: createClaimTransactions({
      ...memory,
      transact: async (work, options) => {
        begun.resolve();
        await finish.promise;
        return memory.transact(work, options);
      },
    }),
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
