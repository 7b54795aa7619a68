import type { UpdateSubscriptionHandler } from "../../../generated/operator/handlers.ts";
import { admin } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Enables or disables a subscription, sends each topic's events strictly in order from the next one on, or
 * gives it another address. What is due while it is not enabled is held. When it is enabled again, what was
 * held and what became a dead letter since its address began to fail is sent if resume says so; otherwise
 * what was held is cancelled.
 *
 * @see section 6 · D-43 · D-44 · D-48
 */
export const updateSubscription: UpdateSubscriptionHandler<Contexts> = admin.updateSubscription;
