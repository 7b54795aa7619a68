import type { GetSubscriptionHandler } from "../../../generated/operator/handlers.ts";
import { admin } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/** Reads a subscription with its statistics. */
export const getSubscription: GetSubscriptionHandler<Contexts> = admin.getSubscription;
