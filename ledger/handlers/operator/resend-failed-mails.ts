import type { ResendFailedMailsHandler } from "../../../generated/operator/handlers.ts";
import { resendMail } from "../services/resend-mail.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { mailListing } from "../../../runtime/store/tables/index.ts";

const limitMax = 500;

/**
 * Sends the mails again that are FAILED, the newest first; more says whether there are others.
 *
 * @see section 4.14 · D-58
 */
export const resendFailedMails: ResendFailedMailsHandler<Contexts> = async (
  { limit = limitMax },
  context,
) => {
  const { institutionId } = context.caller;
  const failed = await context.store.page(
    mailListing({
      institutionId,
      state: "FAILED",
      limit: limit + 1,
    }),
  );
  const visible = await scopedReader(context).mailsOf(failed.slice(0, limit));
  for (const mail of visible) await resendMail(context, mail);
  // Those that the caller does not see stay where they are: without one that was sent again there is no use in going on.
  return { queued: visible.length, more: failed.length > limit && visible.length > 0 };
};
