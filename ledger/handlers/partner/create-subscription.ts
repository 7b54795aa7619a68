import type { CreateSubscriptionHandler } from "../../../generated/partner/handlers.ts";
import { newSubscription } from "../services/new-subscription.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Subscribes a callback address to events of the listed accounts of the caller, as CreateSubscription of the
 * documented interface does.
 *
 * @see section 4.15 · D-40 · D-44 · D-57
 */
export const createSubscription: CreateSubscriptionHandler<Contexts> = async (payload, context) => {
  const { id } = await newSubscription(context, payload);
  return { subscriptionId: id };
};
