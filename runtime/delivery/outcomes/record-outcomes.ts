import { auditedBySystem } from "../../audit/index.ts";
import type {
  ClaimedChange,
  DeliveryAttemptRecord,
  DeliveryRecord,
  IdSource,
  StoreTransaction,
} from "../../ports/index.ts";
import type { AttemptOutcome, AttemptResult } from "../model/attempt-outcome.ts";
import { releaseNextInOrder } from "../model/ordering.ts";
import { retryDelayMs } from "../model/retry-schedule.ts";
import { isTestEvent } from "../model/test-event.ts";
import { readEndpointHealths } from "./endpoint-health.ts";

/** Work after recording a batch. */
export interface FollowUps {
  /** Subscriptions with a delivery that the batch made due. */
  readonly due: ReadonlySet<string>;
  /** When the first retry of the batch is due; Infinity where there is none. */
  readonly nextDueAt: number;
  /** Deliveries that became dead letters. */
  readonly deadLetters: readonly DeliveryRecord[];
  /** Deliveries whose endpoint answered 410, so that their subscription was disabled. */
  readonly gone: readonly DeliveryRecord[];
}

export interface RecordOptions {
  readonly ids: IdSource;
  readonly nowMs: number;
}

/** Stores attempt results whose claims still hold; where a claim ended, another process has taken over. */
export async function recordOutcomes(
  tx: StoreTransaction,
  results: readonly AttemptResult[],
  options: RecordOptions,
): Promise<FollowUps> {
  const { nowMs } = options;
  const attempts = results.flatMap((result) =>
    result.kind === "attempted" ? recordedAttempt(result, options) : [],
  );
  const releases = results.filter((result) => result.kind === "released");
  const holds = await tx.deliveries.changeClaimed([
    ...attempts.map(({ delivery, changes }) => claimedChange(delivery, changes)),
    ...releases.map(({ delivery, dueAt }) => claimedChange(delivery, { claimedBy: undefined, dueAt })),
  ]);
  const recorded = attempts.filter((_attempt, index) => holds[index]);
  await tx.deliveryAttempts.insertAll(recorded.map(({ record }) => record));

  const healths = await readEndpointHealths(
    tx,
    recorded.map(({ delivery }) => delivery),
    nowMs,
  );
  for (const { delivery, outcome, changes } of recorded) healths.update(delivery, outcome, changes.state);
  const due = await releaseOrdered(tx, recorded, nowMs);
  const gone = await disableGone(tx, recorded, nowMs);
  await healths.store();
  return {
    due,
    nextDueAt: Math.min(...releases.map(({ dueAt }) => dueAt), ...recorded.map(retryAt)),
    deadLetters: recorded
      .filter(({ changes }) => changes.state === "DEAD")
      .map(({ delivery }) => ({ ...delivery, state: "DEAD" })),
    gone,
  };
}

interface RecordedAttempt {
  readonly delivery: DeliveryRecord;
  readonly outcome: AttemptOutcome;
  readonly changes: AttemptChanges;
  readonly record: DeliveryAttemptRecord;
}

function recordedAttempt(
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
  { ids, nowMs }: RecordOptions,
): AttemptChanges {
  const counted = { attempts: delivery.attempts + 1, failures: delivery.failures + 1 };
  if (isTestEvent(delivery)) return { state: "CANCELLED", ...counted, ...finished, cancelReason: "TEST" };
  const delayMs =
    outcome.failure === "gone" ? undefined : retryDelayMs(counted.failures, ids, outcome.retryAfterMs);
  if (delayMs === undefined) return { state: "DEAD", ...counted, ...finished, diedAt: nowMs };
  return { state: "PENDING", ...counted, dueAt: nowMs + delayMs, claimedBy: undefined };
}

function retryAt({ changes }: RecordedAttempt): number {
  return changes.state === "PENDING" ? (changes.dueAt ?? Infinity) : Infinity;
}

/** In ordered subscriptions, releases the next event of each account whose delivery is finished. */
async function releaseOrdered(
  tx: StoreTransaction,
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

/** Disables subscriptions whose endpoint answered 410; returns a delivery of each. */
async function disableGone(
  tx: StoreTransaction,
  attempts: readonly RecordedAttempt[],
  nowMs: number,
): Promise<readonly DeliveryRecord[]> {
  const disabled: DeliveryRecord[] = [];
  for (const { delivery } of attempts.filter(({ outcome }) => outcome.failure === "gone")) {
    const { institutionId, subscriptionId } = delivery;
    const subscription = await tx.subscriptions.find(institutionId, subscriptionId);
    if (subscription?.enabled !== true) continue;
    disabled.push(delivery);
    const clock = { now: () => nowMs };
    const audited = auditedBySystem(tx, { institutionId, operation: "endpoint-gone", clock });
    await audited.subscriptions.replace({
      ...subscription,
      enabled: false,
      disabledReason: "GONE",
      disabledAt: nowMs,
      updatedAt: nowMs,
    });
  }
  return disabled;
}
