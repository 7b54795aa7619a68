import type { RemoveMailHandler } from "../../../generated/operator/handlers.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { removeMail as removeMailQuery } from "../../../runtime/events/mail/stored-mails.ts";

/** Removes a mail with its attempts. One that is being sent may still arrive. @see section 4.14 · D-58 */
export const removeMail: RemoveMailHandler<Contexts> = async (payload, context) => {
  const mail = await scopedReader(context).mail(payload.mailId);
  if (mail === undefined) throw context.error("NOT_FOUND_MAIL", { field: "/mailId" });
  await removeMailQuery(context.store, mail.id);
  await context.audit.record({ subjectType: "mail", subjectId: mail.id, changes: [] });
  return { mailId: mail.id };
};
