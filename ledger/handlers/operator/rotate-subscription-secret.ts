import type { RotateSubscriptionSecretHandler } from "../../../generated/operator/handlers.ts";
import { subscriptionSecretOf } from "../presenters/subscription.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import { newWebhookSecret } from "../services/subscriptions/webhook-secret.ts";
import type { Contexts } from "./contexts.ts";
import { replaceSubscription } from "../../books/subscriptions.ts";

const standardOverlapSeconds = 24 * 60 * 60;

/**
 * Gives a subscription a new secret. The former one signs beside it for the overlap, so that the receiver can
 * change over; a third one before it ends at once.
 *
 * @see section 6 · D-42
 */
export const rotateSubscriptionSecret: RotateSubscriptionSecretHandler<Contexts> = async (
  payload,
  context,
) => {
  const { store, clock, events, ids, sealer } = context;
  const stored = await scopedReader(context).subscription(payload.subscriptionId);
  if (stored === undefined) throw context.error("NOT_FOUND_SUBSCRIPTION", { field: "/subscriptionId" });
  const rotated = {
    ...stored,
    secretSealed: sealer.seal(newWebhookSecret(ids)),
    formerSecretSealed: stored.secretSealed,
    formerSecretUntil: clock.now() + (payload.overlapSeconds ?? standardOverlapSeconds) * 1000,
    updatedAt: clock.now(),
  };
  await replaceSubscription(store, rotated, stored);
  events.wake();
  return subscriptionSecretOf(rotated, sealer, clock.now());
};
