import type { AddBeneficiaryHandler } from "../../../generated/operator/handlers.ts";
import { unimplemented } from "../../contract/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Adds a beneficiary to an account for a legal representative. The beneficiary is active at once.
 *
 * @see section 2.3 · D-27 · D-34
 */
export const addBeneficiary: AddBeneficiaryHandler<Contexts> = async () => {
  throw unimplemented("AddBeneficiary");
};
