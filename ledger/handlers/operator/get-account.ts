import type { GetAccountHandler } from "../../../generated/operator/handlers.ts";
import { fullAccount, scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";

/** Reads an account with all that the service keeps of it, by its number. @see section 4.5 · D-19 · D-51 */
export const getAccount: GetAccountHandler<Contexts> = async (payload, context) => {
  const account = await scopedReader(context).accountByNumber(payload.accountNumber);
  if (account === undefined) throw context.error("NOT_FOUND_ACCOUNT", { field: "/accountNumber" });
  return { account: await fullAccount(account, context) };
};
