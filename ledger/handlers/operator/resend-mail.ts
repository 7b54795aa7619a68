import type { ResendMailHandler } from "../../../generated/operator/handlers.ts";
import { resendMail as resend } from "../services/resend-mail.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Sends a mail again that has not been sent: now, and with the whole schedule of attempts before it. One that
 * is being sent or was sent stays as it is.
 *
 * @see section 4.14 · D-58
 */
export const resendMail: ResendMailHandler<Contexts> = async (payload, context) => {
  const mail = await scopedReader(context).mail(payload.mailId);
  if (mail === undefined) throw context.error("NOT_FOUND_MAIL", { field: "/mailId" });
  const { id, state } = mail.state === "SENT" ? mail : await resend(context, mail);
  return { mailId: id, state };
};
