import type { ResendFailedMailsHandler } from "../../../generated/operator/handlers.ts";
import { admin } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/** Sends the mails again that are FAILED, the newest first; more says whether there are others. */
export const resendFailedMails: ResendFailedMailsHandler<Contexts> = admin.resendFailedMails;
