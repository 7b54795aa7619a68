import { setTimeout as sleep } from "node:timers/promises";
import { startBackgroundLoop, type BackgroundLoop } from "../model/loops.ts";
import type { DueQueue, JobQueues } from "../model/queues.ts";
import type { Store } from "../../store/ports/index.ts";
import { createPublisher, type PublishOptions } from "./publisher.ts";
import { oldestEvents, lastInLanes } from "../../store/tables/index.ts";

export interface OutboxPollerOptions extends PublishOptions {
  readonly store: Pick<Store, "read">;
  readonly queues: JobQueues & DueQueue;
  /** Resolves when the send loops can take more, at the latest after 50 ms. */
  belowLimit(): Promise<void>;
  onFailure(error: unknown): void;
}

const pollEveryMs = 1_000;

/**
 * The first loop of delivery: moves events from the outbox through the lanes to the queues of their subscriptions.
 * Between two batches others have as long as a batch takes: calls are answered, and new connections accepted.
 */
export function startOutboxPoller(options: OutboxPollerOptions): BackgroundLoop {
  const { store, clock, queues, transactions, belowLimit, onFailure } = options;
  const publisher = createPublisher(options);

  return startBackgroundLoop({
    clock,
    everyMs: pollEveryMs,
    onFailure,
    between: (tookMs) => Promise.all([belowLimit(), sleep(tookMs)]),
    async isAnyLeft() {
      if (transactions.isUnknown()) return true;
      return store.read(async (view) => {
        const [events, inLane] = await Promise.all([view.many(oldestEvents, 1), view.one(lastInLanes, 1)]);
        return events.length > 0 || inLane !== undefined;
      });
    },
    async part() {
      queues.enqueue(await transactions.recovered(clock.now()));
      const { claimed, due, isMore } = await publisher.next();
      queues.enqueue(claimed);
      queues.markDue(due);
      return isMore;
    },
  });
}
