import type {
  Clock,
  DeliveryRecord,
  EndpointHealthRecord,
  PageCursor,
  Store,
  Writes,
} from "../../store/ports/index.ts";
import { disableSubscription, mailOwner, type OwnerMailing } from "./disable-endpoint.ts";
import { disabledAfterMs } from "../model/retry-schedule.ts";
import {
  endpointsDueForReview,
  healthOfSubscription,
  subscriptionById,
  endpointHealth,
  institutionsByName,
  deliveriesBefore,
  deliveriesById,
  listStart,
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
  const prune = createPruning(options, () => isClosed);
  let working = work();

  async function work(): Promise<void> {
    await attempt(() => reviewFailing(options));
    await attempt(prune);
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
 * Removes delivered and cancelled deliveries older than `retentionDays`, with their attempts; dead letters stay, however many
 * there are. So each round goes on where the one before stopped, and one a day looks at all. It looks at 200 deliveries
 * at a time: other writers wait briefly.
 */
function createPruning(
  { store, clock, retentionDays }: RetentionOptions,
  isClosed: () => boolean,
): () => Promise<void> {
  const places = new Map<string, PageCursor>();
  let fromStartAtMs = clock.now();

  /** Gives whether there may be more. */
  async function prunePart(institutionId: string, before: number): Promise<boolean> {
    const { createdAt, id } = places.get(institutionId) ?? listStart;
    const found = await store.read((view) =>
      view.many(deliveriesBefore, institutionId, before, createdAt, id, prunedAtOnce),
    );
    const finished = found.filter(isFinished).map((delivery) => delivery.id);
    if (finished.length > 0)
      await store.write(async (tx) => {
        // Some may be sent again since.
        for (const delivery of (await tx.many(deliveriesById, finished)).filter(isFinished))
          await removeDelivery(tx, delivery);
      });
    const last = found.at(-1);
    if (last !== undefined) places.set(institutionId, last);
    return found.length === prunedAtOnce;
  }

  return async () => {
    const nowMs = clock.now();
    if (Math.abs(nowMs - fromStartAtMs) >= dayMs) {
      places.clear();
      fromStartAtMs = nowMs;
    }
    for (const { id } of await store.read((view) => view.many(institutionsByName)))
      while (!isClosed() && (await prunePart(id, nowMs - retentionDays * dayMs)));
  };
}

function isFinished({ state }: Pick<DeliveryRecord, "state">): boolean {
  return state === "DELIVERED" || state === "CANCELLED";
}
