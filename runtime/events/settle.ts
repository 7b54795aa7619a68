import type {
  DeliveryAttemptRecord,
  DeliveryRecord,
  EndpointHealthRecord,
  IdSource,
  StoreTransaction,
} from "../ports/index.ts";
import { promoteFirst } from "./requeue.ts";
import { ownerToldAfterMs, retryDelayMs } from "./schedule.ts";
import type { AttemptOutcome } from "./sender.ts";
import { isTestEvent } from "./test-event.ts";

/** A delivery whose attempt is over, or that was claimed and is given back. */
export type Settled =
  | { readonly kind: "attempted"; readonly delivery: DeliveryRecord; readonly outcome: AttemptOutcome }
  | { readonly kind: "released"; readonly delivery: DeliveryRecord; readonly dueAt: number };

/** What follows from what was settled. */
export interface Consequences {
  /** Subscriptions with something new that is due now. */
  readonly due: ReadonlySet<string>;
  /** When the next one is due again. */
  readonly nextDueAt: number;
  /** Deliveries that became dead letters. */
  readonly deadLetters: readonly DeliveryRecord[];
  /** Deliveries that told that their endpoint is gone. */
  readonly gone: readonly DeliveryRecord[];
}

export interface SettleOptions {
  readonly ids: IdSource;
  readonly nowMs: number;
}

/** Writes down what became of deliveries whose claims still hold; the others are somebody else's by now. */
export async function settle(
  tx: StoreTransaction,
  all: readonly Settled[],
  options: SettleOptions,
): Promise<Consequences> {
  const work: Work = {
    ...options,
    tx,
    health: new Map(),
    due: new Set(),
    nextDueAt: Infinity,
    deadLetters: [],
    gone: [],
  };
  for (const settled of all) {
    await (settled.kind === "released" ? release(settled, work) : record(settled, work));
  }
  for (const health of work.health.values()) await tx.endpointHealth.put(health);
  return work;
}

interface Work extends SettleOptions {
  readonly tx: StoreTransaction;
  readonly health: Map<string, EndpointHealthRecord>;
  readonly due: Set<string>;
  nextDueAt: number;
  readonly deadLetters: DeliveryRecord[];
  readonly gone: DeliveryRecord[];
}

async function release(
  { delivery, dueAt }: Extract<Settled, { readonly kind: "released" }>,
  work: Work,
): Promise<void> {
  const changes = { claim: undefined, dueAt };
  await work.tx.deliveries.changeClaimed(delivery.id, delivery.claim ?? "", changes);
  work.nextDueAt = Math.min(work.nextDueAt, dueAt);
}

async function record(
  { delivery, outcome }: Extract<Settled, { readonly kind: "attempted" }>,
  work: Work,
): Promise<void> {
  const { tx } = work;
  const changes = outcome.failure === undefined ? delivered(delivery, work) : failed(delivery, outcome, work);
  const isMine = await tx.deliveries.changeClaimed(delivery.id, delivery.claim ?? "", changes);
  if (!isMine) return;
  await tx.deliveryAttempts.insert(attemptOf(delivery, outcome));
  await noteHealth(delivery, outcome, changes.state, work);
  if (changes.state === "PENDING") work.nextDueAt = Math.min(work.nextDueAt, changes.dueAt ?? Infinity);
  else await promoteNext(delivery, work);
  if (changes.state === "DEAD") work.deadLetters.push({ ...delivery, state: "DEAD" });
  if (outcome.failure === "gone") await disableGone(delivery, work);
}

/** What settling changes of a delivery. */
type Changed = Pick<DeliveryRecord, "state" | "attempts" | "failures"> & {
  readonly dueAt: number | undefined;
  readonly claim: undefined;
  readonly orderingKey?: undefined;
  readonly diedAt?: number;
  readonly deliveredAt?: number;
};

function delivered({ attempts }: DeliveryRecord, { nowMs }: Work): Changed {
  return {
    state: "DELIVERED",
    attempts: attempts + 1,
    failures: 0,
    deliveredAt: nowMs,
    ...over,
  };
}

const over = { dueAt: undefined, claim: undefined, orderingKey: undefined };

function failed(delivery: DeliveryRecord, outcome: AttemptOutcome, { ids, nowMs }: Work): Changed {
  const counted = { attempts: delivery.attempts + 1, failures: delivery.failures + 1 };
  if (isTestEvent(delivery)) return { state: "CANCELLED", ...counted, ...over };
  const delayMs =
    outcome.failure === "gone" ? undefined : retryDelayMs(counted.failures, ids, outcome.retryAfterMs);
  if (delayMs === undefined) return { state: "DEAD", ...counted, ...over, diedAt: nowMs };
  return { state: "PENDING", ...counted, dueAt: nowMs + delayMs, claim: undefined };
}

function attemptOf(delivery: DeliveryRecord, outcome: AttemptOutcome): DeliveryAttemptRecord {
  const { retryAfterMs: _asked, ...attempt } = outcome;
  return { deliveryId: delivery.id, number: delivery.attempts + 1, ...attempt };
}

/** Test events say nothing of whether events arrive. */
async function noteHealth(
  delivery: DeliveryRecord,
  outcome: AttemptOutcome,
  state: DeliveryRecord["state"],
  { tx, health, nowMs }: Work,
): Promise<void> {
  if (isTestEvent(delivery)) return;
  const { subscriptionId, institutionId } = delivery;
  const former = health.get(subscriptionId) ??
    (await tx.endpointHealth.find(subscriptionId)) ?? {
      institutionId,
      subscriptionId,
      delivered: 0,
      failedAttempts: 0,
      deadLetters: 0,
    };
  health.set(
    subscriptionId,
    outcome.failure === undefined ? sound(former, nowMs) : failing(former, outcome, state === "DEAD", nowMs),
  );
}

function sound(former: EndpointHealthRecord, nowMs: number): EndpointHealthRecord {
  const { failingSince: _since, judgeAt: _judged, pausedUntil: _paused, ...rest } = former;
  return { ...rest, delivered: former.delivered + 1, lastDeliveredAt: nowMs };
}

function failing(
  former: EndpointHealthRecord,
  { failure, startedAt, retryAfterMs }: AttemptOutcome,
  isDead: boolean,
  nowMs: number,
): EndpointHealthRecord {
  const failingSince = former.failingSince ?? startedAt;
  return {
    ...former,
    failedAttempts: former.failedAttempts + 1,
    deadLetters: former.deadLetters + (isDead ? 1 : 0),
    lastFailedAt: nowMs,
    ...(failure === undefined ? {} : { lastFailure: failure }),
    failingSince,
    ...(former.failingSince === undefined ? { judgeAt: failingSince + ownerToldAfterMs } : {}),
    ...(retryAfterMs === undefined ? {} : { pausedUntil: nowMs + Math.min(retryAfterMs, pauseMsMax) }),
  };
}

const pauseMsMax = 24 * 60 * 60 * 1_000;

/** In an ordered subscription, the account's next event may go. */
async function promoteNext({ subscriptionId, orderingKey }: DeliveryRecord, work: Work): Promise<void> {
  if (orderingKey === undefined) return;
  if (await promoteFirst(work.tx, subscriptionId, orderingKey, work.nowMs)) work.due.add(subscriptionId);
}

async function disableGone(delivery: DeliveryRecord, work: Work): Promise<void> {
  const { institutionId, subscriptionId } = delivery;
  const subscription = await work.tx.subscriptions.find(institutionId, subscriptionId);
  if (subscription?.enabled !== true) return;
  work.gone.push(delivery);
  await work.tx.subscriptions.replace({
    ...subscription,
    enabled: false,
    disabledReason: "GONE",
    disabledAt: work.nowMs,
    updatedAt: work.nowMs,
  });
}
