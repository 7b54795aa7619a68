import type { CancelReason, StoreTransaction } from "../../ports/index.ts";

const cancelled = { state: "CANCELLED", dueAt: undefined, orderingKey: undefined } as const;

/** Cancels held and waiting deliveries of a subscription. Returns how many. */
export async function cancelMissed(
  tx: StoreTransaction,
  subscriptionId: string,
  cancelReason: CancelReason,
): Promise<number> {
  const changes = { ...cancelled, cancelReason };
  const held = await tx.deliveries.changeOpen(subscriptionId, "HELD", changes);
  return held + (await tx.deliveries.changeOpen(subscriptionId, "WAITING", changes));
}

/** Cancels all open deliveries of a subscription. An attempt that is in flight may still arrive. */
export async function cancelAll(
  tx: StoreTransaction,
  subscriptionId: string,
  cancelReason: CancelReason,
): Promise<void> {
  await cancelMissed(tx, subscriptionId, cancelReason);
  const changes = { ...cancelled, cancelReason, claimedBy: undefined };
  await tx.deliveries.changeOpen(subscriptionId, "PENDING", changes);
}
