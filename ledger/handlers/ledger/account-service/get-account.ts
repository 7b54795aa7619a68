import type { GetAccountHandler } from "../../../../generated/ledger/handlers.ts";
import { fullAccount, scopedReader } from "../../services/scoped-reader.ts";
import type { Contexts } from "../contexts.ts";

/** Reads one account with all that the service keeps of it. @see section 4.5 · D-51 */
export const getAccount: GetAccountHandler<Contexts> = async (payload, context) => {
  const account = await scopedReader(context).account(payload.ID);
  if (account === undefined) throw context.error("NOT_FOUND_ACCOUNT", { field: "/ID" });

  return { account: await fullAccount(account, context) };
};
