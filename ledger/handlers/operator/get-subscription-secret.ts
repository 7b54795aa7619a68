import type { GetSubscriptionSecretHandler } from "../../../generated/operator/handlers.ts";
import { subscriptionSecretOf } from "../presenters/subscription.ts";
import { auditSubscription } from "../services/audit.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Reads the secret with which a subscription's notifications are signed (webhook-signature v1). The audit log says who
 * read it.
 *
 * @see section 6 · D-42
 */
export const getSubscriptionSecret: GetSubscriptionSecretHandler<Contexts> = async (payload, context) => {
  const stored = await scopedReader(context).subscription(payload.subscriptionId);
  if (stored === undefined) throw context.error("NOT_FOUND_SUBSCRIPTION", { field: "/subscriptionId" });
  await auditSubscription(context, stored.id, { secretRead: undefined });
  return subscriptionSecretOf(stored, context.sealer, context.clock.now());
};
