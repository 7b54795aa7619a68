import type { RedeliverOneHandler } from "../../../generated/operator/handlers.ts";
import { admin } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Sends a delivery again, whatever became of it: with the same webhook-id, eventId and sequence, and with the
 * whole schedule of attempts before it.
 */
export const redeliverOne: RedeliverOneHandler<Contexts> = admin.redeliverOne;
