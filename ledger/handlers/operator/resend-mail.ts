import type { ResendMailHandler } from "../../../generated/operator/handlers.ts";
import { admin } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Sends a mail again that has not been sent: now, and with the whole schedule of attempts before it. One that
 * is being sent or was sent stays as it is.
 */
export const resendMail: ResendMailHandler<Contexts> = admin.resendMail;
