import type { CreateSubscriptionHandler } from "../../../generated/ledger/handlers.ts";
import { newSubscription } from "../services/new-subscription.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Subscribes a callback address to events of the listed accounts. Sent as a flat body; the headers
 * Authorization and Signature carry the credential and the signature over the body.
 *
 * @see section 4.15 · D-22 · D-40 · D-57
 */
export const createSubscription: CreateSubscriptionHandler<Contexts> = async (payload, context) => {
  const { id } = await newSubscription(context, payload);
  return { response: "Subscription created successfully", subscriptionId: id };
};
