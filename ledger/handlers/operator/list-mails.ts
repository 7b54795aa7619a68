import type { ListMailsHandler } from "../../../generated/operator/handlers.ts";
import { admin, mailOf } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/** Lists mails without their addresses and texts, page by page, newest first. @see section 4.14 · D-58 */
export const listMails: ListMailsHandler<Contexts> = async (payload, context) => {
  const { mails, ...page } = await admin.listMails(payload, context);
  return { ...page, mails: mails.map(mailOf) };
};
