import type { TransferSubscriptionHandler } from "../../../generated/operator/handlers.ts";
import { admin } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Hands a subscription to another user of the institution, who has a valid credential and sees its accounts. Whether
 * it is enabled stays as it is; its secret is rotated with RotateSubscriptionSecret.
 *
 * @see section 6 · D-48
 */
export const transferSubscription: TransferSubscriptionHandler<Contexts> = admin.transferSubscription;
