import type { Writes } from "../../store/ports/index.ts";
import { sequenceForChange, eventSequences, firstInOrder, deliveryByKey } from "../../store/tables/index.ts";

/**
 * In an ordered subscription, makes the topic's first open delivery due if it is WAITING. Returns whether it was.
 *
 * Publishing raises the topic's counter, and this locks and writes it, too: of the two, one sees what the other did.
 * Claims and cancellations are not serializable transactions. So the store alone does not notice that a delivery
 * before an event has ended meanwhile.
 */
export async function releaseNextInOrder(
  tx: Writes,
  subscriptionId: string,
  orderingKey: string,
  nowMs: number,
): Promise<boolean> {
  const counter = await tx.one(sequenceForChange, subscriptionId, orderingKey);
  if (counter !== undefined) await tx.put(eventSequences, counter);
  const first = await tx.one(firstInOrder, subscriptionId, orderingKey, 1);
  if (first?.state !== "WAITING") return false;
  await tx.update(deliveryByKey, { state: "PENDING", dueAt: nowMs }, first.id);
  return true;
}
