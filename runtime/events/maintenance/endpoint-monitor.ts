import type { Clock, EndpointHealthRecord, Store, Writes } from "../../store/ports/index.ts";
import { disableSubscription, mailOwner, type OwnerMailing } from "./disable-endpoint.ts";
import { disabledAfterMs } from "../model/retry-schedule.ts";
import {
  endpointsDueForReview,
  healthOfSubscription,
  subscriptionById,
  endpointHealth,
  institutionsByName,
  finishedBefore,
} from "../../store/tables/index.ts";
import { removeDelivery } from "../model/stored-deliveries.ts";

const everyMs = 60_000;
const reviewedAtOnce = 100;

export interface EndpointMonitorOptions extends OwnerMailing {
  readonly store: Store;
  readonly clock: Clock;
  readonly retentionDays: number;
  /** A transaction added mails to their outbox. */
  onMail(): void;
  /** A subscription was disabled: no delivery has arrived for 120 hours. */
  onDisabled(subscriptionId: string): void;
  onFailure(error: unknown): void;
}

/** Every minute: mails owners of failing endpoints, disables their subscriptions, removes old deliveries. */
export interface EndpointMonitor {
  close(): Promise<void>;
}

export function startEndpointMonitor(options: EndpointMonitorOptions): EndpointMonitor {
  const { clock } = options;
  let isClosed = false;
  let cancel: (() => void) | undefined;
  let working = work();

  async function work(): Promise<void> {
    await attempt(() => reviewFailing(options));
    await attempt(() => pruneDeliveries(options, () => isClosed));
    if (isClosed) return;
    cancel = clock.schedule(everyMs, () => {
      working = work();
    });
  }
  async function attempt(work: () => Promise<void>): Promise<void> {
    await work().catch(options.onFailure);
  }

  return {
    async close() {
      isClosed = true;
      cancel?.();
      await working;
    },
  };
}

/** Reviews every endpoint that has been failing for 24 or 120 hours. */
async function reviewFailing(options: EndpointMonitorOptions): Promise<void> {
  const { store, clock } = options;
  const nowMs = clock.now();
  const due = await store.read((view) => view.many(endpointsDueForReview, nowMs, reviewedAtOnce));
  for (const { subscriptionId } of due) {
    const outcome = await store.write(async (tx) => {
      const health = await tx.one(healthOfSubscription, subscriptionId);
      return health === undefined ? "unchanged" : reviewEndpoint(tx, health, nowMs, options);
    });
    if (outcome === "disabled") options.onDisabled(subscriptionId);
    if (outcome !== "unchanged") options.onMail();
  }
}

async function reviewEndpoint(
  tx: Writes,
  health: EndpointHealthRecord,
  nowMs: number,
  options: EndpointMonitorOptions,
): Promise<"unchanged" | "owner-mailed" | "disabled"> {
  const { reviewAt: _review, ...reviewed } = health;
  const { failingSince } = health;
  const subscription = await tx.one(subscriptionById, health.institutionId, health.subscriptionId);
  if (failingSince === undefined || subscription?.enabled !== true) {
    await tx.put(endpointHealth, reviewed);
    return "unchanged";
  }
  if (nowMs - failingSince < disabledAfterMs) {
    await tx.put(endpointHealth, { ...reviewed, reviewAt: failingSince + disabledAfterMs });
    await mailOwner(tx, subscription, "endpoint-failing", { nowMs, health }, options);
    return "owner-mailed";
  }
  await tx.put(endpointHealth, reviewed);
  await disableSubscription(tx, subscription, "FAILING", { nowMs, health }, options);
  return "disabled";
}

const dayMs = 24 * 60 * 60 * 1_000;
const prunedAtOnce = 200;

interface RetentionOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly retentionDays: number;
}

/**
 * Removes delivered and cancelled deliveries older than `retentionDays`, with their attempts; dead letters stay.
 * Removes 200 deliveries per transaction, so that other writers wait briefly.
 */
async function pruneDeliveries(
  { store, clock, retentionDays }: RetentionOptions,
  isClosed: () => boolean,
): Promise<void> {
  const before = clock.now() - retentionDays * dayMs;
  for (const { id: institutionId } of await store.read((view) => view.many(institutionsByName))) {
    for (const state of ["DELIVERED", "CANCELLED"] as const) {
      // A look first: where nothing is old enough, nothing is written.
      const [old] = await store.read((view) => view.many(finishedBefore, institutionId, before, state, 1));
      let removed = old === undefined ? 0 : prunedAtOnce;
      while (removed === prunedAtOnce && !isClosed()) {
        removed = await store.write(async (tx) => {
          const old = await tx.many(finishedBefore, institutionId, before, state, prunedAtOnce);
          for (const delivery of old) await removeDelivery(tx, delivery);
          return old.length;
        });
      }
    }
  }
}
