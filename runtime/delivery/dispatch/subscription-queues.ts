import type { Clock } from "../../ports/index.ts";
import {
  isBelowLowWater,
  createSubscriptionQueue,
  freeCapacity,
  type SubscriptionQueue,
} from "./subscription-queue.ts";

/** The lanes of a process, served in turns. */
export interface Lanes {
  of(subscriptionId: string): SubscriptionQueue;
  /**
   * Those that have more due and may claim it, with how much, `total` at most together. Who was served goes to the end
   * and counts as served.
   */
  takeHungry(total: number): readonly { readonly lane: SubscriptionQueue; readonly limit: number }[];
  all(): readonly SubscriptionQueue[];
  /** Whether something is in flight or claimed. */
  isBusy(): boolean;
}

const servedAtOnce = 256;
const idleMs = 300_000;
const sweptEveryMs = 60_000;

export function createLanes(clock: Clock): Lanes {
  const lanes = new Map<string, SubscriptionQueue>();
  let sweptAtMs = clock.now();

  function sweep(nowMs: number): void {
    if (nowMs - sweptAtMs < sweptEveryMs) return;
    sweptAtMs = nowMs;
    for (const [id, lane] of lanes) {
      const isIdle = lane.inFlight === 0 && lane.jobs.length === 0 && !lane.due;
      if (isIdle && nowMs - lane.usedAtMs > idleMs) lanes.delete(id);
    }
  }

  return {
    of(subscriptionId) {
      const known = lanes.get(subscriptionId);
      if (known !== undefined) return known;
      const lane = createSubscriptionQueue(subscriptionId, clock.now());
      lanes.set(subscriptionId, lane);
      return lane;
    },
    takeHungry(total) {
      const nowMs = clock.now();
      sweep(nowMs);
      const hungry: { readonly lane: SubscriptionQueue; readonly limit: number }[] = [];
      let left = total;
      for (const lane of lanes.values()) {
        if (hungry.length === servedAtOnce || left <= 0) break;
        if (!lane.due || lane.pausedUntilMs > nowMs || !isBelowLowWater(lane)) continue;
        const limit = Math.min(freeCapacity(lane), left);
        if (limit === 0) continue;
        hungry.push({ lane, limit });
        left -= limit;
      }
      for (const { lane } of hungry) {
        // Whoever finds more meanwhile says so again.
        lane.due = false;
        lanes.delete(lane.subscriptionId);
        lanes.set(lane.subscriptionId, lane);
      }
      return hungry;
    },
    all: () => [...lanes.values()],
    isBusy: () => lanes.values().some((lane) => lane.inFlight > 0 || lane.jobs.length > 0),
  };
}
