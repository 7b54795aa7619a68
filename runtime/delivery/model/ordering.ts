import type { StoreTransaction } from "../../ports/index.ts";

/**
 * In an ordered subscription, makes the account's first open delivery due if it is WAITING. Returns whether it was.
 *
 * Publishing raises the account's counter, and this writes it, too: of the two, one sees what the other did. Claims are
 * no serializable transactions, so that the store alone does not notice that a delivery which an event is put behind
 * was claimed and has ended meanwhile.
 */
export async function releaseNextInOrder(
  tx: StoreTransaction,
  subscriptionId: string,
  orderingKey: string,
  nowMs: number,
): Promise<boolean> {
  await tx.eventSequences.putAll(await tx.eventSequences.ofNumbers(subscriptionId, [orderingKey]));
  const first = await tx.deliveries.firstInOrder(subscriptionId, orderingKey);
  if (first?.state !== "WAITING") return false;
  await tx.deliveries.change(first.id, { state: "PENDING", dueAt: nowMs });
  return true;
}
