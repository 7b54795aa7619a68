import type { GetNotificationHandler } from "../../../generated/operator/handlers.ts";
import { admin } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Reads the notification of a delivery as it is posted, headers and body, signed now. It changes nothing and
 * posts nothing: compare it with what a receiver says it got.
 */
export const getNotification: GetNotificationHandler<Contexts> = admin.getNotification;
