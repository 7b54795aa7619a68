import type { SetBeneficiaryStatusHandler } from "../../../generated/operator/handlers.ts";
import { unimplemented } from "../../contract/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Enables or disables a beneficiary. Setting the present status succeeds and changes nothing.
 *
 * @see section 3 · D-27
 */
export const setBeneficiaryStatus: SetBeneficiaryStatusHandler<Contexts> = async () => {
  throw unimplemented("SetBeneficiaryStatus");
};
