import type { ListBeneficiaryHandler } from "../../../../generated/ledger/handlers.ts";
import { beneficiaryOf } from "../../presenters/beneficiary.ts";
import { beneficiariesMax } from "../../services/accounts.ts";
import { scopedReader } from "../../services/scoped-reader.ts";
import type { Contexts } from "../contexts.ts";
import { beneficiariesOfAccount } from "../../../tables/index.ts";

/**
 * Lists the beneficiaries that a legal representative has on an account. Both fields narrow the list; where
 * nothing fits, it is empty.
 *
 * @see section 4.1 · D-34
 */
export const listBeneficiary: ListBeneficiaryHandler<Contexts> = async (payload, context) => {
  const account = await scopedReader(context).account(payload.ID);
  if (account === undefined) throw context.error("NOT_FOUND_ACCOUNT", { field: "/ID" });

  const beneficiaries = await context.store.many(
    beneficiariesOfAccount,
    account.institutionId,
    account.id,
    payload.legalrepId,
    beneficiariesMax,
  );
  return { beneficiarys: beneficiaries.map(beneficiaryOf) };
};
