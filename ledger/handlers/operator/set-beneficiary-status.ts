import type { SetBeneficiaryStatusHandler } from "../../../generated/operator/handlers.ts";
import { timestampText } from "../../../runtime/contract/index.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { beneficiaries } from "../../tables/index.ts";

/**
 * Enables or disables a beneficiary. Setting the present status succeeds and changes nothing.
 *
 * @see section 3 · D-27
 */
export const setBeneficiaryStatus: SetBeneficiaryStatusHandler<Contexts> = async (payload, context) => {
  const stored = await scopedReader(context).beneficiary(payload.beneficiaryId);
  if (stored === undefined) throw context.error("NOT_FOUND_BENEFICIARY", { field: "/beneficiaryId" });

  const changes = stored.status !== payload.status;
  const beneficiary = changes
    ? { ...stored, status: payload.status, updatedAt: context.clock.now() }
    : stored;
  if (changes) await context.store.replace(beneficiaries, beneficiary, stored);
  return {
    beneficiaryId: beneficiary.id,
    status: beneficiary.status,
    updatedDate: timestampText(beneficiary.updatedAt),
  };
};
