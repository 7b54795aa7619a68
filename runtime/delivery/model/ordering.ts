import type { StoreTransaction } from "../../ports/index.ts";

/**
 * In an ordered subscription, makes the account's first open delivery due if it is WAITING. Returns whether it was.
 */
export async function releaseNextInOrder(
  tx: StoreTransaction,
  subscriptionId: string,
  orderingKey: string,
  nowMs: number,
): Promise<boolean> {
  const first = await tx.deliveries.firstInOrder(subscriptionId, orderingKey);
  if (first?.state !== "WAITING") return false;
  await tx.deliveries.change(first.id, { state: "PENDING", dueAt: nowMs });
  return true;
}
