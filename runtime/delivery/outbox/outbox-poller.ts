import { setTimeout as sleep } from "node:timers/promises";
import { createSignal } from "../model/signal.ts";
import type { DueQueue, JobQueues } from "../model/queues.ts";
import { createPublisher, type PublishOptions } from "./publisher.ts";

/** The first loop of delivery: moves events from the outbox through the lanes to the queues of their subscriptions. */
export interface OutboxPoller {
  /** Polls now: a commit added events. */
  wake(): void;
  /** Finishes the batch under way. */
  close(): Promise<void>;
}

export interface OutboxPollerOptions extends PublishOptions {
  readonly queues: JobQueues & DueQueue;
  /** Resolves when the send loops can take more, at the latest after 50 ms. */
  belowLimit(): Promise<void>;
  onFailure(error: unknown): void;
}

/** Finds events that another process committed. */
const pollEveryMs = 1_000;

/** Between two batches others have as long as a batch takes: calls are answered, and new connections accepted. */
export function startOutboxPoller(options: OutboxPollerOptions): OutboxPoller {
  const { clock, queues } = options;
  const woken = createSignal();
  let isClosed = false;
  const publisher = createPublisher(options);
  const running = run();

  async function run(): Promise<void> {
    for (;;) {
      if (isClosed) return;
      const beganMs = performance.now();
      const isMore = await publishNext().catch((error: unknown) => {
        // Wakes during a failure are not tried at once: the store may refuse for long.
        woken.reset();
        options.onFailure(error);
        return false;
      });
      if (isMore) await Promise.all([options.belowLimit(), sleep(performance.now() - beganMs)]);
      else await wait();
    }
  }
  /** Returns whether more can be published at once. */
  async function publishNext(): Promise<boolean> {
    woken.reset();
    queues.enqueue(await options.transactions.recovered(clock.now()));
    const { claimed, due, isMore } = await publisher.next();
    queues.enqueue(claimed);
    queues.markDue(due);
    return isMore;
  }
  async function wait(): Promise<void> {
    if (isClosed) return;
    const cancel = clock.schedule(pollEveryMs, woken.wake);
    await woken.wait();
    cancel();
  }

  return {
    wake: woken.wake,
    async close() {
      isClosed = true;
      woken.wake();
      await running;
    },
  };
}
