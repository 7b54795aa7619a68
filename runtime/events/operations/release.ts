import type {
  Clock,
  DeliveryRecord,
  Store,
  Writes,
  Reads,
  SubscriptionTarget,
} from "../../store/ports/index.ts";
import { startBackgroundLoop, type BackgroundLoop } from "../model/background-loop.ts";
import { releaseNextInOrder } from "../model/ordering.ts";
import {
  firstOpenDeliveries,
  targetsById,
  cancellationOf,
  deliveriesById,
} from "../../store/tables/index.ts";
import { openDeliveriesOf } from "../model/stored-deliveries.ts";

export interface ReleasingOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Subscriptions with a delivery that is due now. */
  onDue(subscriptionIds: readonly string[]): void;
  onFailure(error: unknown): void;
}

/** Deliveries released in one transaction, at most: other writers wait for it. */
export const releasedAtOnce = 500;
/** Subscriptions looked at at once. */
const lookedAtOnce = 50;
const everyMs = 60_000;

type ReleasedState = "HELD" | "WAITING";

/**
 * Releases deliveries in the background, some in each transaction. They were held until their subscription was enabled
 * again, or they wait in a subscription that is no longer ordered.
 */
export function startReleasing({ store, clock, onDue, onFailure }: ReleasingOptions): BackgroundLoop {
  /** Where the next part goes on. */
  let state: ReleasedState = "HELD";
  let after = "";

  /** Gives where to go on in this state; nothing at its end. */
  async function releaseNext(): Promise<string | undefined> {
    const { delivery, next } = await store.read((view) => lookAfter(view, state, after));
    if (delivery === undefined) return next;
    const isMore = await store.write((tx) => releasePart(tx, delivery, state, clock.now()));
    onDue([delivery.subscriptionId]);
    return isMore ? after : delivery.subscriptionId;
  }

  return startBackgroundLoop({
    clock,
    everyMs,
    onFailure,
    async part() {
      let next: string | undefined;
      try {
        next = await releaseNext();
        return next !== undefined || state === "HELD";
      } finally {
        // After a failure, too: what fails in one state holds up nothing in the other.
        after = next ?? "";
        if (next === undefined) state = state === "HELD" ? "WAITING" : "HELD";
      }
    },
  });
}

interface Looked {
  /** A delivery of the first subscription found that has some to release. */
  readonly delivery?: DeliveryRecord;
  /** Where to look next; absent at the end. */
  readonly next?: string;
}

async function lookAfter(view: Reads, state: ReleasedState, after: string): Promise<Looked> {
  const firsts = await view.many(firstOpenDeliveries, state, after, 0, lookedAtOnce);
  for (const delivery of firsts) {
    const { institutionId, subscriptionId } = delivery;
    const [subscription] = await view.many(targetsById, institutionId, [subscriptionId]);
    if (isReleasing(subscription, state)) return { delivery };
  }
  const last = firsts.at(-1);
  return firsts.length < lookedAtOnce || last === undefined ? {} : { next: last.subscriptionId };
}

function isReleasing(
  subscription: SubscriptionTarget | undefined,
  state: ReleasedState,
): subscription is SubscriptionTarget {
  if (subscription === undefined) return false;
  return state === "HELD" ? subscription.enabled : !subscription.ordered;
}

/** Releases some deliveries of a subscription. Returns whether there may be more. */
export async function releasePart(
  tx: Writes,
  { institutionId, subscriptionId }: Pick<DeliveryRecord, "institutionId" | "subscriptionId">,
  state: ReleasedState,
  nowMs: number,
): Promise<boolean> {
  const [subscription] = await tx.many(targetsById, institutionId, [subscriptionId]);
  if (!isReleasing(subscription, state)) return false;
  if ((await tx.one(cancellationOf, subscriptionId)) !== undefined) return false;
  const open = await openDeliveriesOf(tx, subscriptionId, state, releasedAtOnce);
  const { ordered } = subscription;
  await tx.update(
    deliveriesById,
    { state: ordered ? "WAITING" : "PENDING", dueAt: nowMs, ...(state === "HELD" && { failures: 0 }) },
    open.map(({ id }) => id),
  );
  const keys = new Set(open.map(({ orderingKey }) => orderingKey));
  if (ordered)
    for (const key of keys) if (key !== undefined) await releaseNextInOrder(tx, subscriptionId, key, nowMs);
  return open.length === releasedAtOnce;
}
