import type {
  Clock,
  DeliveryRecord,
  Store,
  StoreTransaction,
  StoreView,
  SubscriptionTarget,
} from "../../ports/index.ts";
import { releaseNextInOrder } from "../model/ordering.ts";
import { createSignal } from "../model/signal.ts";

/**
 * Releases deliveries in the background, some in each transaction. They were held until their subscription was enabled
 * again, or they wait in a subscription that is no longer ordered.
 */
export interface Releasing {
  /** A commit may have left something to release. */
  wake(): void;
  /** Finishes the part under way. */
  close(): Promise<void>;
}

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
/** Finds what another process was asked for and has not finished. */
const everyMs = 60_000;
const states = ["HELD", "WAITING"] as const;

type ReleasedState = (typeof states)[number];

export function startReleasing({ store, clock, onDue, onFailure }: ReleasingOptions): Releasing {
  const woken = createSignal();
  let isClosed = false;
  const running = run();

  async function run(): Promise<void> {
    for (;;) {
      woken.reset();
      for (const state of states) await releaseAll(state).catch(onFailure);
      if (isClosed) return;
      const cancel = clock.schedule(everyMs, woken.wake);
      await woken.wait();
      cancel();
      if (isClosed) return;
    }
  }
  async function releaseAll(state: ReleasedState): Promise<void> {
    let after: string | undefined = "";
    for (;;) {
      if (after === undefined || isClosed) return;
      const place: string = after;
      const { delivery, next }: Looked = await store.read((view) => lookAfter(view, state, place));
      if (delivery === undefined) after = next;
      else {
        const { subscriptionId } = delivery;
        const isMore = await store.transact((tx) => releasePart(tx, delivery, state, clock.now()));
        onDue([subscriptionId]);
        if (!isMore) after = subscriptionId;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
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

interface Looked {
  /** A delivery of the first subscription found that has some to release. */
  readonly delivery?: DeliveryRecord;
  /** Where to look next; absent at the end. */
  readonly next?: string;
}

async function lookAfter(view: StoreView, state: ReleasedState, after: string): Promise<Looked> {
  const firsts = await view.deliveries.firstOpen(state, after, lookedAtOnce);
  for (const delivery of firsts) {
    const { institutionId, subscriptionId } = delivery;
    const [subscription] = await view.subscriptionTargets.find(institutionId, [subscriptionId]);
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
  tx: StoreTransaction,
  { institutionId, subscriptionId }: Pick<DeliveryRecord, "institutionId" | "subscriptionId">,
  state: ReleasedState,
  nowMs: number,
): Promise<boolean> {
  const [subscription] = await tx.subscriptionTargets.find(institutionId, [subscriptionId]);
  if (!isReleasing(subscription, state)) return false;
  if ((await tx.cancellations.find(subscriptionId)) !== undefined) return false;
  const open = await tx.deliveries.openUntil(subscriptionId, state, Number.MAX_SAFE_INTEGER, releasedAtOnce);
  const { ordered } = subscription;
  await tx.deliveries.changeAll(
    open.map(({ id }) => id),
    { state: ordered ? "WAITING" : "PENDING", dueAt: nowMs, ...(state === "HELD" && { failures: 0 }) },
  );
  const keys = new Set(open.map(({ orderingKey }) => orderingKey));
  if (ordered)
    for (const key of keys) if (key !== undefined) await releaseNextInOrder(tx, subscriptionId, key, nowMs);
  return open.length === releasedAtOnce;
}
