import type { Clock } from "../../store/ports/index.ts";
import type { ClaimCapacity } from "../outbox/publisher.ts";
import type { Lease } from "./lease.ts";
import { freeCapacity, type SubscriptionQueue } from "./subscription-queue.ts";
import type { SubscriptionQueues } from "./subscription-queues.ts";

/** The capacity of this process's queues, for one transaction that inserts deliveries. */
export function claimCapacityOf(queues: SubscriptionQueues, clock: Clock, lease: Lease): ClaimCapacity {
  const free = new Map<SubscriptionQueue, number>();
  const grant = queues.shares();
  const nowMs = clock.now();
  const claim = { claimedBy: lease.claimedBy, dueAt: nowMs + lease.claimMs };
  return {
    claim({ id, userName }) {
      const queue = queues.of(id);
      if (queue.due || queue.endpoint.pausedUntilMs > nowMs) return undefined;
      const left = free.get(queue) ?? freeCapacity(queue);
      if (left === 0 || grant(userName, 1) === 0) return undefined;
      free.set(queue, left - 1);
      return claim;
    },
  };
}
