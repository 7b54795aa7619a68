import type { ListBeneficiariesHandler } from "../../../generated/operator/handlers.ts";
import { beneficiarySummary } from "../presenters/people.ts";
import { listById } from "../services/list-by-id.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { allBeneficiariesOfAccount } from "../../tables/index.ts";

/**
 * Lists the beneficiaries of an account, those of all legal representatives, page by page, in the order of
 * creation.
 *
 * @see section 2.3 · D-19
 */
export const listBeneficiaries: ListBeneficiariesHandler<Contexts> = async (payload, context) => {
  const account = await scopedReader(context).accountByNumber(payload.accountNumber);
  if (account === undefined) throw context.error("NOT_FOUND_ACCOUNT", { field: "/accountNumber" });
  const { items, next } = await listById(context, payload, allBeneficiariesOfAccount, account.id);
  return { beneficiaries: items.map(beneficiarySummary), ...next };
};
