import type {
  ClaimedChange,
  DeliveryAttemptRecord,
  DeliveryRecord,
  EndpointHealthRecord,
  IdSource,
  StoreTransaction,
} from "../../ports/index.ts";
import { auditedBySystem } from "../../pipeline/index.ts";
import { releaseNextInOrder } from "../operations/redeliver.ts";
import { ownerToldAfterMs, retryDelayMs } from "../model/retry-schedule.ts";
import type { AttemptOutcome } from "../transport/webhook-client.ts";
import { isTestEvent } from "../model/test-event.ts";

/** A delivery whose attempt is over, or that was claimed and is given back. */
export type AttemptResult =
  | { readonly kind: "attempted"; readonly delivery: DeliveryRecord; readonly outcome: AttemptOutcome }
  | { readonly kind: "released"; readonly delivery: DeliveryRecord; readonly dueAt: number };

/** What follows from what was settled. */
export interface FollowUps {
  /** Subscriptions with something new that is due now. */
  readonly due: ReadonlySet<string>;
  /** When the next one is due again. */
  readonly nextDueAt: number;
  /** Deliveries that became dead letters. */
  readonly deadLetters: readonly DeliveryRecord[];
  /** Deliveries that told that their endpoint is gone. */
  readonly gone: readonly DeliveryRecord[];
}

export interface RecordOptions {
  readonly ids: IdSource;
  readonly nowMs: number;
}

/** Writes down what became of deliveries whose claims still hold; the others are somebody else's by now. */
export async function recordOutcomes(
  tx: StoreTransaction,
  all: readonly AttemptResult[],
  options: RecordOptions,
): Promise<FollowUps> {
  const attempts = all.flatMap((settled) =>
    settled.kind === "attempted" ? attemptFrom(settled, options) : [],
  );
  const releases = all.filter((settled) => settled.kind === "released");
  const areMine = await tx.deliveries.changeClaimed([
    ...attempts.map(claimedChange),
    ...releases.map(({ delivery, dueAt }) =>
      claimedChange({ delivery, changes: { claimedBy: undefined, dueAt } }),
    ),
  ]);
  const mine = attempts.filter((_attempt, index) => areMine[index]);
  await tx.deliveryAttempts.insertAll(mine.map(({ record }) => record));
  const work: RecordingState = {
    nowMs: options.nowMs,
    tx,
    health: await readHealth(tx, mine),
    due: new Set(),
    nextDueAt: Math.min(...releases.map(({ dueAt }) => dueAt)),
    deadLetters: [],
    gone: [],
  };
  for (const attempt of mine) collectFollowUps(attempt, work);
  for (const attempt of mine.filter(isFinishedInOrder)) await releaseNext(attempt.delivery, work);
  for (const attempt of mine.filter(isGone)) await disableGone(attempt.delivery, work);
  for (const health of work.health.values()) await tx.endpointHealth.put(health);
  return work;
}

/** An attempt that is over. */
interface RecordedAttempt {
  readonly delivery: DeliveryRecord;
  readonly outcome: AttemptOutcome;
  readonly changes: Changed;
  readonly record: DeliveryAttemptRecord;
}

interface RecordingState {
  readonly nowMs: number;
  readonly tx: StoreTransaction;
  readonly health: Map<string, EndpointHealthRecord>;
  readonly due: Set<string>;
  nextDueAt: number;
  readonly deadLetters: DeliveryRecord[];
  readonly gone: DeliveryRecord[];
}

function attemptFrom(
  { delivery, outcome }: Extract<AttemptResult, { readonly kind: "attempted" }>,
  options: RecordOptions,
): RecordedAttempt {
  const changes =
    outcome.failure === undefined
      ? changesAfterSuccess(delivery, options)
      : changesAfterFailure(delivery, outcome, options);
  const { retryAfterMs: _asked, ...attempt } = outcome;
  return {
    delivery,
    outcome,
    changes,
    record: { deliveryId: delivery.id, number: changes.attempts, ...attempt },
  };
}

function claimedChange({
  delivery: { id, claimedBy = "" },
  changes,
}: {
  readonly delivery: DeliveryRecord;
  readonly changes: ClaimedChange["changes"];
}): ClaimedChange {
  return { id, claimedBy, changes };
}

/** What an attempt means for what comes after it. */
function collectFollowUps({ delivery, outcome, changes }: RecordedAttempt, work: RecordingState): void {
  updateHealth(delivery, outcome, changes.state, work);
  if (changes.state === "PENDING") work.nextDueAt = Math.min(work.nextDueAt, changes.dueAt ?? Infinity);
  if (changes.state === "DEAD") work.deadLetters.push({ ...delivery, state: "DEAD" });
}

function isFinishedInOrder({ delivery, changes }: RecordedAttempt): boolean {
  return delivery.orderingKey !== undefined && changes.state !== "PENDING";
}

function isGone({ outcome }: RecordedAttempt): boolean {
  return outcome.failure === "gone";
}

/** What settling changes of a delivery. */
type Changed = Pick<DeliveryRecord, "state" | "attempts" | "failures"> & {
  readonly dueAt: number | undefined;
  readonly claimedBy: undefined;
  readonly orderingKey?: undefined;
  readonly diedAt?: number;
  readonly deliveredAt?: number;
  readonly cancelReason?: "TEST";
};

function changesAfterSuccess({ attempts }: DeliveryRecord, { nowMs }: RecordOptions): Changed {
  return {
    state: "DELIVERED",
    attempts: attempts + 1,
    failures: 0,
    deliveredAt: nowMs,
    ...finished,
  };
}

const finished = { dueAt: undefined, claimedBy: undefined, orderingKey: undefined };

function changesAfterFailure(
  delivery: DeliveryRecord,
  outcome: AttemptOutcome,
  { ids, nowMs }: RecordOptions,
): Changed {
  const counted = { attempts: delivery.attempts + 1, failures: delivery.failures + 1 };
  if (isTestEvent(delivery)) return { state: "CANCELLED", ...counted, ...finished, cancelReason: "TEST" };
  const delayMs =
    outcome.failure === "gone" ? undefined : retryDelayMs(counted.failures, ids, outcome.retryAfterMs);
  if (delayMs === undefined) return { state: "DEAD", ...counted, ...finished, diedAt: nowMs };
  return { state: "PENDING", ...counted, dueAt: nowMs + delayMs, claimedBy: undefined };
}

/** Test events say nothing of whether events arrive. */
async function readHealth(
  tx: StoreTransaction,
  attempts: readonly RecordedAttempt[],
): Promise<Map<string, EndpointHealthRecord>> {
  const health = new Map<string, EndpointHealthRecord>();
  for (const { delivery } of attempts) {
    const { institutionId, subscriptionId } = delivery;
    if (health.has(subscriptionId) || isTestEvent(delivery)) continue;
    const none = { institutionId, subscriptionId, delivered: 0, failedAttempts: 0, deadLetters: 0 };
    health.set(subscriptionId, (await tx.endpointHealth.find(subscriptionId)) ?? none);
  }
  return health;
}

function updateHealth(
  delivery: DeliveryRecord,
  outcome: AttemptOutcome,
  state: DeliveryRecord["state"],
  { health, nowMs }: RecordingState,
): void {
  const former = health.get(delivery.subscriptionId);
  if (former === undefined || isTestEvent(delivery)) return;
  health.set(
    delivery.subscriptionId,
    outcome.failure === undefined
      ? healthAfterSuccess(former, nowMs)
      : healthAfterFailure(former, outcome, state === "DEAD", nowMs),
  );
}

function healthAfterSuccess(former: EndpointHealthRecord, nowMs: number): EndpointHealthRecord {
  const { failingSince: _since, reviewAt: _judged, pausedUntil: _paused, ...rest } = former;
  return { ...rest, delivered: former.delivered + 1, lastDeliveredAt: nowMs };
}

function healthAfterFailure(
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
    ...(former.failingSince === undefined ? { reviewAt: failingSince + ownerToldAfterMs } : {}),
    ...(retryAfterMs === undefined ? {} : { pausedUntil: nowMs + Math.min(retryAfterMs, pauseMsMax) }),
  };
}

const pauseMsMax = 24 * 60 * 60 * 1_000;

/** In an ordered subscription, the account's next event may go. */
async function releaseNext(
  { subscriptionId, orderingKey = "" }: DeliveryRecord,
  { tx, due, nowMs }: RecordingState,
): Promise<void> {
  if (await releaseNextInOrder(tx, subscriptionId, orderingKey, nowMs)) due.add(subscriptionId);
}

async function disableGone(delivery: DeliveryRecord, work: RecordingState): Promise<void> {
  const { institutionId, subscriptionId } = delivery;
  const subscription = await work.tx.subscriptions.find(institutionId, subscriptionId);
  if (subscription?.enabled !== true) return;
  work.gone.push(delivery);
  const clock = { now: () => work.nowMs };
  const audited = auditedBySystem(work.tx, { institutionId, operation: "endpoint-gone", clock });
  await audited.subscriptions.replace({
    ...subscription,
    enabled: false,
    disabledReason: "GONE",
    disabledAt: work.nowMs,
    updatedAt: work.nowMs,
  });
}
