import type { RedeliverRangeHandler } from "../../../generated/operator/handlers.ts";
import { admin } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Sends the deliveries of a subscription again whose events happened in a range of time: all that are
 * settled, or the dead letters alone. At most 1000 a call, from the newest down; next tells where to go on.
 */
export const redeliverRange: RedeliverRangeHandler<Contexts> = admin.redeliverRange;
