import type { GetBeneficiaryHandler } from "../../../generated/operator/handlers.ts";
import { beneficiaryOf } from "../presenters/beneficiary.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";

/** Reads a beneficiary. @see section 2.3 · D-19 */
export const getBeneficiary: GetBeneficiaryHandler<Contexts> = async ({ beneficiaryId }, context) => {
  const beneficiary = await scopedReader(context).beneficiary(beneficiaryId);
  if (beneficiary === undefined) throw context.error("NOT_FOUND_BENEFICIARY", { field: "/beneficiaryId" });
  return { beneficiary: beneficiaryOf(beneficiary) };
};
