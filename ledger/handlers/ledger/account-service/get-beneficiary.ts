import type { GetBeneficiaryHandler } from "../../../../generated/ledger/handlers.ts";
import { beneficiaryOf } from "../../presenters/beneficiary.ts";
import { scopedReader } from "../../services/scoped-reader.ts";
import type { Contexts } from "../contexts.ts";

/** Reads one beneficiary. @see section 4.2 */
export const getBeneficiary: GetBeneficiaryHandler<Contexts> = async (payload, context) => {
  const beneficiary = await scopedReader(context).beneficiary(payload.ID);
  if (beneficiary === undefined) throw context.error("NOT_FOUND_BENEFICIARY", { field: "/ID" });

  return beneficiaryOf(beneficiary);
};
