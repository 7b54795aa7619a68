import type { RotateSubscriptionSecretHandler } from "../../../generated/operator/handlers.ts";
import { admin } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Gives a subscription a new secret. The former one signs beside it for the overlap, so that the receiver can
 * change over; a third one before it ends at once.
 */
export const rotateSubscriptionSecret: RotateSubscriptionSecretHandler<Contexts> =
  admin.rotateSubscriptionSecret;
