import type { Caller, DeliveryRecord, StoreView, SubscriptionRecord } from "../../../runtime/ports/index.ts";

interface Context {
  readonly store: StoreView;
  readonly caller: Caller;
}

/** A subscription of the caller's own; another user's is not found (D-08). */
export async function ownSubscription(
  { store, caller }: Context,
  id: string,
): Promise<SubscriptionRecord | undefined> {
  const found = await store.subscriptions.find(caller.institutionId, id);
  return found?.userName === caller.userName ? found : undefined;
}

/** A delivery to a subscription of the caller's own, with that subscription. */
export async function ownDelivery(
  context: Context,
  id: string,
): Promise<{ readonly delivery: DeliveryRecord; readonly subscription: SubscriptionRecord } | undefined> {
  const delivery = await context.store.deliveries.find(context.caller.institutionId, id);
  const subscription = await ownSubscription(context, delivery?.subscriptionId ?? "");
  return delivery && subscription && { delivery, subscription };
}
