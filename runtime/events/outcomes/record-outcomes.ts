import {
  type ClaimedChange,
  type DeliveryAttemptRecord,
  type DeliveryRecord,
  type Writes,
  type SubscriptionTarget,
  DuplicateRecordError,
  type EndpointHealthRecord,
} from "../../store/ports/index.ts";
import { recordMail } from "../mail/send-mail.ts";
import { disableSubscription, type OwnerMailing } from "../maintenance/disable-endpoint.ts";
import type { AttemptOutcome, AttemptResult, JobResult } from "../model/attempt-outcome.ts";
import {
  releaseNextInOrder,
  attemptsKept,
  changeClaimedDeliveries,
  isTestEvent,
} from "../model/stored-deliveries.ts";
import { retryDelayMs, notifyOwnerAfterMs } from "../model/retry-schedule.ts";
import {
  deliveryAttempts,
  formerAttempts,
  targetsById,
  subscriptionById,
  endpointHealth,
  healthForChange as healthForChangeQuery,
} from "../../store/tables/index.ts";
import { omitUndefined } from "../../contract/index.ts";

/** Work after recording a batch. */
export interface FollowUps {
  /** Subscriptions with a delivery that the batch made due. */
  readonly due: ReadonlySet<string>;
  /** When the first retry of the batch is due, or the first pause ends; else Infinity. */
  readonly nextDueAt: number;
  /** Until when the endpoints that asked for a pause are paused, by subscription. 0: not at all. */
  readonly pauses: ReadonlyMap<string, number>;
  /** Deliveries that became dead letters. */
  readonly deadLetters: readonly DeliveryRecord[];
  /** Deliveries whose endpoint answered 410, so that their subscription was disabled. */
  readonly gone: readonly DeliveryRecord[];
}

export interface RecordOptions extends OwnerMailing {
  readonly nowMs: number;
}

/** Stores results of jobs whose claims still hold; where a claim ended, another process has taken over. */
export async function recordOutcomes(
  tx: Writes,
  results: readonly JobResult[],
  options: RecordOptions,
): Promise<FollowUps> {
  const { nowMs } = options;
  const attempted = results.filter((result) => result.kind === "attempted");
  const releases = results.filter((result) => result.kind === "released");
  for (const result of results) if (result.kind === "mail") await recordMail(tx, result);
  const subscriptions = await readSubscriptions(tx, attempted);
  const attempts = attempted.map((result) => recordedAttempt(result, subscriptions, options));
  const holds = await changeClaimedDeliveries(tx, [
    ...attempts.map(({ delivery, changes }) => claimedChange(delivery, changes)),
    ...releases.map(({ delivery, dueAt }) => claimedChange(delivery, { claimedBy: undefined, dueAt })),
  ]);
  const recorded = attempts.filter((_attempt, index) => holds[index]);
  await tx.insert(deliveryAttempts, ...recorded.map(({ record }) => record));
  for (const { deliveryId, number } of recorded.map(({ record }) => record))
    if (number > attemptsKept) await tx.remove(formerAttempts, deliveryId, number - attemptsKept);

  const healths = await readEndpointHealths(
    tx,
    recorded.map(({ delivery }) => delivery),
    nowMs,
  );
  for (const attempt of recorded) healths.update({ ...attempt, state: attempt.changes.state });
  const released = releases.filter(({ dueAt }) => dueAt <= nowMs);
  const ordered = await releaseOrdered(tx, recorded, nowMs);
  const gone = await disableGone(tx, recorded, subscriptions, options);
  await healths.store();
  const pauses = new Map(
    attempted
      .filter(({ delivery, outcome }) => outcome.retryAfterMs !== undefined && !isTestEvent(delivery))
      .map(({ delivery }) => [delivery.subscriptionId, healths.pausedUntil(delivery.subscriptionId)]),
  );
  return {
    due: new Set([...ordered, ...released.map(({ delivery }) => delivery.subscriptionId)]),
    nextDueAt: Math.min(
      ...releases.map(({ dueAt }) => dueAt).filter((dueAt) => dueAt > nowMs),
      ...recorded.map(retryAt),
      ...[...pauses.values()].filter((untilMs) => untilMs > nowMs),
    ),
    pauses,
    deadLetters: recorded
      .filter(({ changes }) => changes.state === "DEAD")
      .map(({ delivery }) => ({ ...delivery, state: "DEAD" })),
    gone,
  };
}

type Attempted = Extract<AttemptResult, { readonly kind: "attempted" }>;

interface RecordedAttempt {
  readonly delivery: DeliveryRecord;
  readonly outcome: AttemptOutcome;
  /** Whether it went to an address that the subscription no longer has. */
  readonly isFormer: boolean;
  readonly changes: AttemptChanges;
  readonly record: DeliveryAttemptRecord;
}

/** The subscriptions of attempts as they are now, by identifier. */
async function readSubscriptions(
  tx: Writes,
  attempted: readonly Attempted[],
): Promise<ReadonlyMap<string, SubscriptionTarget>> {
  const found: SubscriptionTarget[] = [];
  for (const [institutionId, own] of Map.groupBy(attempted, ({ delivery }) => delivery.institutionId)) {
    const ids = new Set(own.map(({ delivery }) => delivery.subscriptionId));
    found.push(...(await tx.many(targetsById, institutionId, [...ids])));
  }
  return new Map(found.map((subscription) => [subscription.id, subscription]));
}

function recordedAttempt(
  { delivery, callbackUrl, outcome }: Attempted,
  subscriptions: ReadonlyMap<string, SubscriptionTarget>,
  options: RecordOptions,
): RecordedAttempt {
  const isFormer = subscriptions.get(delivery.subscriptionId)?.callbackUrl !== callbackUrl;
  const changes =
    outcome.failure === undefined
      ? changesAfterSuccess(delivery, options)
      : changesAfterFailure(delivery, outcome, isFormer, options);
  const { retryAfterMs: _asked, cause: _logged, ...attempt } = outcome;
  return {
    delivery,
    outcome,
    isFormer,
    changes,
    record: { deliveryId: delivery.id, number: changes.attempts, ...attempt },
  };
}

function claimedChange(
  { id, claimedBy = "", attempts }: DeliveryRecord,
  changes: ClaimedChange["changes"],
): ClaimedChange {
  return { id, claimedBy, attempts, changes };
}

/** Changes to a delivery by an attempt. */
type AttemptChanges = Pick<DeliveryRecord, "state" | "attempts" | "failures"> & {
  readonly dueAt: number | undefined;
  readonly claimedBy: undefined;
  readonly orderingKey?: undefined;
  readonly diedAt?: number;
  readonly deliveredAt?: number;
  readonly cancelReason?: "TEST";
};

const finished = { dueAt: undefined, claimedBy: undefined, orderingKey: undefined };

function changesAfterSuccess({ attempts }: DeliveryRecord, { nowMs }: RecordOptions): AttemptChanges {
  return { state: "DELIVERED", attempts: attempts + 1, failures: 0, deliveredAt: nowMs, ...finished };
}

function changesAfterFailure(
  delivery: DeliveryRecord,
  outcome: AttemptOutcome,
  isFormer: boolean,
  { ids, nowMs }: RecordOptions,
): AttemptChanges {
  const attempts = delivery.attempts + 1;
  const counted = { attempts, failures: delivery.failures + 1 };
  if (isTestEvent(delivery)) return { state: "CANCELLED", ...counted, ...finished, cancelReason: "TEST" };
  // The schedule is that of the present address.
  if (isFormer) {
    const { failures } = delivery;
    return { state: "PENDING", attempts, failures, dueAt: nowMs, claimedBy: undefined };
  }
  const delayMs =
    outcome.failure === "gone" ? undefined : retryDelayMs(counted.failures, ids, outcome.retryAfterMs);
  if (delayMs === undefined) return { state: "DEAD", ...counted, ...finished, diedAt: nowMs };
  return { state: "PENDING", ...counted, dueAt: nowMs + delayMs, claimedBy: undefined };
}

function retryAt({ changes }: RecordedAttempt): number {
  return changes.state === "PENDING" ? (changes.dueAt ?? Infinity) : Infinity;
}

/** In ordered subscriptions, releases the next event of each topic whose delivery is finished. */
async function releaseOrdered(
  tx: Writes,
  attempts: readonly RecordedAttempt[],
  nowMs: number,
): Promise<ReadonlySet<string>> {
  const due = new Set<string>();
  for (const { delivery, changes } of attempts) {
    const { subscriptionId, orderingKey } = delivery;
    if (orderingKey === undefined || changes.state === "PENDING") continue;
    if (await releaseNextInOrder(tx, subscriptionId, orderingKey, nowMs)) due.add(subscriptionId);
  }
  return due;
}

/** Disables subscriptions whose endpoint answered 410, and mails their owners; returns a delivery of each. */
async function disableGone(
  tx: Writes,
  attempts: readonly RecordedAttempt[],
  subscriptions: ReadonlyMap<string, SubscriptionTarget>,
  options: RecordOptions,
): Promise<readonly DeliveryRecord[]> {
  const gone = new Map<string, DeliveryRecord>();
  for (const { delivery, outcome, isFormer } of attempts) {
    if (outcome.failure === "gone" && !isFormer) gone.set(delivery.subscriptionId, delivery);
  }
  for (const id of gone.keys()) {
    const target = subscriptions.get(id);
    const subscription = target?.enabled && (await tx.one(subscriptionById, target.institutionId, id));
    if (!subscription) gone.delete(id);
    else await disableSubscription(tx, subscription, "GONE", options, options);
  }
  return [...gone.values()];
}

/** Health of the endpoints that a batch of attempts went to: read once, changed by each attempt, stored once. */
interface EndpointHealths {
  update(attempt: HealthChange): void;
  /** Until when the endpoint's pause lasts; 0 for none. */
  pausedUntil(subscriptionId: string): number;
  store(): Promise<void>;
}

/** What an attempt says of its endpoint. */
interface HealthChange {
  readonly delivery: DeliveryRecord;
  readonly outcome: AttemptOutcome;
  /** What became of the delivery. */
  readonly state: DeliveryRecord["state"];
  /** Whether it went to an address that the subscription no longer has: then it is counted, and says nothing else. */
  readonly isFormer: boolean;
}

/** Test events do not count: an endpoint may fail them on purpose. */
export async function readEndpointHealths(
  tx: Writes,
  deliveries: readonly DeliveryRecord[],
  nowMs: number,
): Promise<EndpointHealths> {
  const healths = new Map<string, EndpointHealthRecord>();
  // In one order: two batches wait for each other, never both.
  const inOrder = deliveries.toSorted((one, other) => (one.subscriptionId < other.subscriptionId ? -1 : 1));
  for (const delivery of inOrder) {
    const { institutionId, subscriptionId } = delivery;
    if (healths.has(subscriptionId) || isTestEvent(delivery)) continue;
    const initial = { institutionId, subscriptionId, delivered: 0, failedAttempts: 0, deadLetters: 0 };
    healths.set(subscriptionId, await healthForChange(tx, initial));
  }

  return {
    update(attempt) {
      const { delivery, outcome } = attempt;
      const before = healths.get(delivery.subscriptionId);
      if (before === undefined || isTestEvent(delivery)) return;
      const counted = countedIn(before, attempt, nowMs);
      const isFailure = outcome.failure !== undefined;
      const after = isFailure
        ? healthAfterFailure(counted, outcome, nowMs)
        : healthAfterSuccess(counted, nowMs);
      healths.set(delivery.subscriptionId, attempt.isFormer ? counted : after);
    },
    pausedUntil: (subscriptionId) => healths.get(subscriptionId)?.pausedUntil ?? 0,
    async store() {
      for (const health of healths.values()) await tx.put(endpointHealth, health);
    },
  };
}

/** The record, created if missing. Two batches that create it at once count one after the other. */
async function healthForChange(tx: Writes, initial: EndpointHealthRecord): Promise<EndpointHealthRecord> {
  const found = await tx.one(healthForChangeQuery, initial.subscriptionId);
  if (found !== undefined) return found;
  try {
    await tx.insert(endpointHealth, initial);
  } catch (error) {
    if (!(error instanceof DuplicateRecordError)) throw error;
  }
  return (await tx.one(healthForChangeQuery, initial.subscriptionId)) ?? initial;
}

function countedIn(
  before: EndpointHealthRecord,
  { outcome, state }: HealthChange,
  nowMs: number,
): EndpointHealthRecord {
  if (outcome.failure === undefined)
    return { ...before, delivered: before.delivered + 1, lastDeliveredAt: nowMs };
  return {
    ...before,
    failedAttempts: before.failedAttempts + 1,
    deadLetters: before.deadLetters + (state === "DEAD" ? 1 : 0),
  };
}

/** A pause goes on: what arrives meanwhile was sent before it. */
function healthAfterSuccess(former: EndpointHealthRecord, nowMs: number): EndpointHealthRecord {
  const { failingSince: _since, reviewAt: _review, pausedUntil = 0, ...rest } = former;
  return pausedUntil > nowMs ? { ...rest, pausedUntil } : rest;
}

/** The longer pause stays: a shorter one may be the answer to an earlier request. */
function healthAfterFailure(
  former: EndpointHealthRecord,
  { failure, startedAt, retryAfterMs }: AttemptOutcome,
  nowMs: number,
): EndpointHealthRecord {
  const failingSince = former.failingSince ?? startedAt;
  const isFirst = former.failingSince === undefined;
  const askedUntil = retryAfterMs === undefined ? undefined : nowMs + retryAfterMs;
  return {
    ...former,
    lastFailedAt: nowMs,
    failingSince,
    ...omitUndefined({
      lastFailure: failure,
      reviewAt: isFirst ? failingSince + notifyOwnerAfterMs : undefined,
      pausedUntil: askedUntil === undefined ? undefined : Math.max(askedUntil, former.pausedUntil ?? 0),
    }),
  };
}
