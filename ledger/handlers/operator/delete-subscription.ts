import type { DeleteSubscriptionHandler } from "../../../generated/operator/handlers.ts";
import { admin } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Deletes a subscription and its secret. What has not arrived is cancelled; the log of its deliveries stays.
 */
export const deleteSubscription: DeleteSubscriptionHandler<Contexts> = admin.deleteSubscription;
