import type { RotateSubscriptionSecretHandler } from "../../../generated/partner/handlers.ts";
import { newestSecretOf, ownSubscription, rotateSecret } from "../../../runtime/operations/admin/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Gives one of the caller's own subscriptions a new secret, shown in this answer alone. The former one signs
 * beside it for the overlap, so that the receiver can change over; one before that ends at once.
 *
 * @see section 6 · D-42
 */
export const rotateSubscriptionSecret: RotateSubscriptionSecretHandler<Contexts> = async (
  payload,
  context,
) => {
  const stored = await ownSubscription(context, payload.subscriptionId);
  if (stored === undefined) throw context.error("NOT_FOUND_SUBSCRIPTION", { field: "/subscriptionId" });
  const nowMs = context.clock.now();
  const rotated = await rotateSecret(context, stored, payload.overlapSeconds, nowMs);
  return newestSecretOf(rotated, context.sealer, nowMs);
};
