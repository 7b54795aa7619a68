import type { UpdateTransactionStatusHandler } from "../../../generated/operator/handlers.ts";
import { unimplemented } from "../../contract/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Decides a pending transaction. COMPLETED moves the balances, the other four move nothing; all five are
 * final. Setting the present status succeeds and announces nothing.
 *
 * @see section 3 · D-26 · D-27 · D-39
 */
export const updateTransactionStatus: UpdateTransactionStatusHandler<Contexts> = async () => {
  throw unimplemented("UpdateTransactionStatus");
};
