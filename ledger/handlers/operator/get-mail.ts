import type { GetMailHandler } from "../../../generated/operator/handlers.ts";
import { admin, mailOf } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/** Reads a mail with its latest 20 attempts, without its address and text. */
export const getMail: GetMailHandler<Contexts> = async (payload, context) => {
  const { mail, attemptsMade } = await admin.getMail(payload, context);
  return { mail: mailOf(mail), attemptsMade };
};
