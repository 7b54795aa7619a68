import type { Caller } from "../../../runtime/auth/auth-services.ts";
import type { DeliveryRecord, Reads, SubscriptionRecord } from "../../../runtime/store/ports/index.ts";
import { subscriptionById, deliveryById } from "../../../runtime/store/tables/index.ts";

interface Context {
  readonly store: Reads;
  readonly caller: Caller;
}

/** A subscription of the caller's own; another user's is not found (D-08). */
export async function ownSubscription(
  { store, caller }: Context,
  id: string,
): Promise<SubscriptionRecord | undefined> {
  const found = await store.one(subscriptionById, caller.institutionId, id);
  return found?.userName === caller.userName ? found : undefined;
}

/** A delivery to a subscription of the caller's own, with that subscription. */
export async function ownDelivery(
  context: Context,
  id: string,
): Promise<{ readonly delivery: DeliveryRecord; readonly subscription: SubscriptionRecord } | undefined> {
  const delivery = await context.store.one(deliveryById, context.caller.institutionId, id);
  const subscription = await ownSubscription(context, delivery?.subscriptionId ?? "");
  return delivery && subscription && { delivery, subscription };
}
