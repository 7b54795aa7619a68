import type { DeleteSubscriptionHandler } from "../../../generated/operator/handlers.ts";
import { cancelAll } from "../../../runtime/events/index.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { removeSubscription } from "../../books/subscriptions.ts";

/**
 * Deletes a subscription and its secret. What has not arrived is cancelled; the log of its deliveries stays.
 *
 * @see section 6 · D-43
 */
export const deleteSubscription: DeleteSubscriptionHandler<Contexts> = async (payload, context) => {
  const { store, caller, clock } = context;
  const stored = await scopedReader(context).subscription(payload.subscriptionId);
  if (stored === undefined) throw context.error("NOT_FOUND_SUBSCRIPTION", { field: "/subscriptionId" });
  await cancelAll(store, [stored], "DELETED", clock.now());
  await removeSubscription(store, caller.institutionId, stored.id);
  context.events.wake();
  return { subscriptionId: stored.id };
};
