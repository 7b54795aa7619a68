import type { DeliveryRecord, EndpointHealthRecord, Store, StoreTransaction } from "../../ports/index.ts";
import { notifyOwnerAfterMs } from "../model/retry-schedule.ts";
import type { Lease } from "./lease.ts";

/** Another process's clock is ahead by less: more says that the clock was set back since. */
const skewMs = 60_000;
/** Deliveries of a subscription that are made due, at most: the others keep their time. */
const recoveredMax = 1_000;

/**
 * Makes due what would be waited for by as much longer as the clock was set back: retries, pauses that endpoints asked
 * for, and the claims of processes that are gone. `firsts` has a delivery of each subscription that has any to send.
 */
export async function recoverFromSetBack(
  store: Store,
  firsts: readonly DeliveryRecord[],
  lease: Lease,
  nowMs: number,
): Promise<void> {
  const affected = await store.read(async (view) => {
    const found: string[] = [];
    for (const first of firsts) {
      const health = await view.endpointHealth.find(first.subscriptionId);
      if (isAhead(health, nowMs) || outlastsClaims(first, lease, nowMs)) found.push(first.subscriptionId);
    }
    return found;
  });
  for (const id of affected) await store.transact((tx) => recoverSubscription(tx, id, lease, nowMs));
}

async function recoverSubscription(
  tx: StoreTransaction,
  subscriptionId: string,
  lease: Lease,
  nowMs: number,
): Promise<void> {
  const health = await tx.endpointHealth.findForChange(subscriptionId);
  const waiting = await tx.deliveries.due(subscriptionId, Number.MAX_SAFE_INTEGER, recoveredMax);
  const late = waiting.filter((delivery) => {
    const { claimedBy, dueAt = 0 } = delivery;
    const isLate = claimedBy === undefined ? isAhead(health, nowMs) : outlastsClaims(delivery, lease, nowMs);
    return isLate && dueAt > nowMs;
  });
  await tx.deliveries.changeAll(
    late.map(({ id }) => id),
    { dueAt: nowMs, claimedBy: undefined },
  );
  if (!isAhead(health, nowMs)) return;
  const { pausedUntil: _paused, ...rest } = health;
  const isAllAhead = (health.failingSince ?? 0) > nowMs;
  await tx.endpointHealth.put({
    ...rest,
    lastFailedAt: nowMs,
    ...(isAllAhead && { failingSince: nowMs, reviewAt: nowMs + notifyOwnerAfterMs }),
  });
}

/** Whether the endpoint's last failure is in the future: what waits since then was stored before the clock was set back. */
function isAhead(health: EndpointHealthRecord | undefined, nowMs: number): health is EndpointHealthRecord {
  return (health?.lastFailedAt ?? 0) > nowMs + skewMs;
}

/** Whether it is claimed for longer than anything is. A process ends its own claims itself, whatever the time is. */
function outlastsClaims({ claimedBy, dueAt = 0 }: DeliveryRecord, lease: Lease, nowMs: number): boolean {
  const isOfOther = claimedBy !== undefined && claimedBy !== lease.claimedBy;
  return isOfOther && dueAt - nowMs > lease.claimMs + skewMs;
}
