import type { StoreTransaction } from "../../ports/index.ts";

/**
 * In an ordered subscription, makes the account's first open delivery due if it is WAITING. Returns whether it was.
 *
 * Publishing raises the account's counter, and this locks and writes it, too: of the two, one sees what the other did.
 * Claims and cancellations are no serializable transactions, so that the store alone does not notice that a delivery which
 * an event is put behind has ended meanwhile.
 */
export async function releaseNextInOrder(
  tx: StoreTransaction,
  subscriptionId: string,
  orderingKey: string,
  nowMs: number,
): Promise<boolean> {
  const counter = await tx.eventSequences.findForChange(subscriptionId, orderingKey);
  if (counter !== undefined) await tx.eventSequences.putAll([counter]);
  const first = await tx.deliveries.firstInOrder(subscriptionId, orderingKey);
  if (first?.state !== "WAITING") return false;
  await tx.deliveries.change(first.id, { state: "PENDING", dueAt: nowMs });
  return true;
}
