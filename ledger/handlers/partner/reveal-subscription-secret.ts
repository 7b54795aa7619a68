import type { RevealSubscriptionSecretHandler } from "../../../generated/partner/handlers.ts";
import { newestSecretOf, ownSubscription } from "../../../runtime/operations/admin/index.ts";
import { subscriptions } from "../../../runtime/store/tables/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Shows the secret with which the notifications of one of the caller's own subscriptions are signed
 * (webhook-signature v1), once. The audit log says who was shown it. A secret that is lost is replaced by
 * RotateSubscriptionSecret.
 *
 * @see section 6 · D-42
 */
export const revealSubscriptionSecret: RevealSubscriptionSecretHandler<Contexts> = async (
  payload,
  context,
) => {
  const { store, clock, sealer } = context;
  const stored = await ownSubscription(context, payload.subscriptionId);
  if (stored === undefined) throw context.error("NOT_FOUND_SUBSCRIPTION", { field: "/subscriptionId" });
  if (stored.secretShownAt !== undefined)
    throw context.error("CONFLICT", { field: "/subscriptionId", reason: "secret-shown" });
  const shown = { ...stored, secretShownAt: clock.now() };
  await store.replace(subscriptions, shown, stored);
  return newestSecretOf(shown, sealer, clock.now());
};
