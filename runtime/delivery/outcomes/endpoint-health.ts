import { omitUndefined } from "../../contract/index.ts";
import {
  DuplicateRecordError,
  type DeliveryRecord,
  type EndpointHealthRecord,
  type StoreTransaction,
} from "../../ports/index.ts";
import type { AttemptOutcome } from "../model/attempt-outcome.ts";
import { notifyOwnerAfterMs } from "../model/retry-schedule.ts";
import { isTestEvent } from "../model/test-event.ts";

/** Health of the endpoints that a batch of attempts went to: read once, changed by each attempt, stored once. */
export interface EndpointHealths {
  update(delivery: DeliveryRecord, outcome: AttemptOutcome, state: DeliveryRecord["state"]): void;
  store(): Promise<void>;
}

/** Test events do not count: an endpoint may fail them on purpose. */
export async function readEndpointHealths(
  tx: StoreTransaction,
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
    update(delivery, outcome, state) {
      const former = healths.get(delivery.subscriptionId);
      if (former === undefined || isTestEvent(delivery)) return;
      healths.set(
        delivery.subscriptionId,
        outcome.failure === undefined
          ? healthAfterSuccess(former, nowMs)
          : healthAfterFailure(former, outcome, state === "DEAD", nowMs),
      );
    },
    async store() {
      for (const health of healths.values()) await tx.endpointHealth.put(health);
    },
  };
}

/** The record, made first where there is none: two batches that make it at once count one after the other. */
async function healthForChange(
  tx: StoreTransaction,
  initial: EndpointHealthRecord,
): Promise<EndpointHealthRecord> {
  const found = await tx.endpointHealth.findForChange(initial.subscriptionId);
  if (found !== undefined) return found;
  try {
    await tx.endpointHealth.insert(initial);
  } catch (error) {
    if (!(error instanceof DuplicateRecordError)) throw error;
  }
  return (await tx.endpointHealth.findForChange(initial.subscriptionId)) ?? initial;
}

function healthAfterSuccess(former: EndpointHealthRecord, nowMs: number): EndpointHealthRecord {
  const { failingSince: _since, reviewAt: _review, pausedUntil: _paused, ...rest } = former;
  return { ...rest, delivered: former.delivered + 1, lastDeliveredAt: nowMs };
}

function healthAfterFailure(
  former: EndpointHealthRecord,
  { failure, startedAt, retryAfterMs }: AttemptOutcome,
  isDead: boolean,
  nowMs: number,
): EndpointHealthRecord {
  const failingSince = former.failingSince ?? startedAt;
  const isFirst = former.failingSince === undefined;
  return {
    ...former,
    failedAttempts: former.failedAttempts + 1,
    deadLetters: former.deadLetters + (isDead ? 1 : 0),
    lastFailedAt: nowMs,
    failingSince,
    ...omitUndefined({
      lastFailure: failure,
      reviewAt: isFirst ? failingSince + notifyOwnerAfterMs : undefined,
      pausedUntil: retryAfterMs === undefined ? undefined : nowMs + retryAfterMs,
    }),
  };
}
