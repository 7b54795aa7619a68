import type { GetSubscriptionSecretHandler } from "../../../generated/operator/handlers.ts";
import { admin } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Reads the secret with which a subscription's notifications are signed (webhook-signature v1). The audit log says who
 * read it.
 *
 * @see section 6 · D-42
 */
export const getSubscriptionSecret: GetSubscriptionSecretHandler<Contexts> = admin.getSubscriptionSecret;
