import type { TransferSubscriptionHandler } from "../../../generated/operator/handlers.ts";
import { subscriptionOf } from "../presenters/subscription.ts";
import { hasValidCredential, requireRoomForSubscription } from "../../../runtime/operations/admin/index.ts";
import { documentedRealm } from "../services/users/realms.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { subscriptions } from "../../../runtime/store/tables/index.ts";

/**
 * Hands a subscription to another user of the institution, who has a valid credential and sees its accounts. Whether
 * it is enabled stays as it is; its secret is rotated with RotateSubscriptionSecret.
 *
 * @see section 6 · D-48
 */
export const transferSubscription: TransferSubscriptionHandler<Contexts> = async (payload, context) => {
  const { store, clock } = context;
  const stored = await scopedReader(context).subscription(payload.subscriptionId);
  if (stored === undefined) throw context.error("NOT_FOUND_SUBSCRIPTION", { field: "/subscriptionId" });
  const user = await scopedReader(context).user(payload.userName);
  if (user?.realm !== documentedRealm) throw context.error("NOT_FOUND_CREDENTIAL", { field: "/userName" });
  if (!(await hasValidCredential(context, user.userName))) {
    throw context.error("CONFLICT", { field: "/userName", reason: "credential-revoked" });
  }
  const known = await scopedReader({ store, caller: user }).knownNumbers(stored.groupId);
  if (stored.groupId.some((number) => !known.has(number))) {
    throw context.error("CONFLICT", { field: "/userName", reason: "account-not-seen" });
  }

  if (stored.userName !== user.userName) {
    await requireRoomForSubscription(context, user.institutionId, user.userName);
  }
  const subscription = { ...stored, userName: user.userName, updatedAt: clock.now() };
  await store.replace(subscriptions, subscription, stored);
  return { subscription: await subscriptionOf(subscription, context) };
};
