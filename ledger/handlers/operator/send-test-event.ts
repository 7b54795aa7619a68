import type { SendTestEventHandler } from "../../../generated/operator/handlers.ts";
import { admin } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Sends a notification that announces nothing (eventName Test, no topics, sequence 0) to a subscription,
 * once and whether it is enabled or not. GetDelivery tells how it went.
 *
 * @see section 6 · D-41 · D-43 · D-48
 */
export const sendTestEvent: SendTestEventHandler<Contexts> = admin.sendTestEvent;
