import type { GetMailHandler } from "../../../generated/operator/handlers.ts";
import { mailAttemptOf, mailOf } from "../presenters/mail.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { attemptsOfMail } from "../../../runtime/store/tables/index.ts";

/** Reads a mail with its latest 20 attempts, without its address and text. @see section 4.14 · D-58 */
export const getMail: GetMailHandler<Contexts> = async (payload, context) => {
  const mail = await scopedReader(context).mail(payload.mailId);
  if (mail === undefined) throw context.error("NOT_FOUND_MAIL", { field: "/mailId" });
  const attempts = await context.store.many(attemptsOfMail, mail.id);
  return { mail: mailOf(mail), attemptsMade: attempts.map(mailAttemptOf) };
};
