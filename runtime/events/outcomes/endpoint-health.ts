import { omitUndefined } from "../../contract/index.ts";
import {
  DuplicateRecordError,
  type DeliveryRecord,
  type EndpointHealthRecord,
  type Writes,
} from "../../store/ports/index.ts";
import type { AttemptOutcome } from "../model/attempt-outcome.ts";
import { notifyOwnerAfterMs } from "../model/retry-schedule.ts";
import { isTestEvent } from "../model/test-event.ts";
import { endpointHealth, healthForChange as healthForChangeQuery } from "../../store/tables/index.ts";

/** Health of the endpoints that a batch of attempts went to: read once, changed by each attempt, stored once. */
export interface EndpointHealths {
  update(attempt: HealthChange): void;
  /** Until when the endpoint's pause lasts; 0 for none. */
  pausedUntil(subscriptionId: string): number;
  store(): Promise<void>;
}

/** What an attempt says of its endpoint. */
export interface HealthChange {
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
