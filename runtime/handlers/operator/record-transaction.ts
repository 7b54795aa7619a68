import type { RecordTransactionHandler } from "../../../generated/operator/handlers.ts";
import { unimplemented } from "../../contract/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Records a transaction and moves the balances by balanced double-entry postings: at once where the status is
 * COMPLETED, later where it is PENDING, never where it is another. Repeating a reference with the same
 * content gives the first answer; with other content it is a CONFLICT.
 *
 * @see section 2.7 · D-26 · D-27 · D-37 · D-39
 */
export const recordTransaction: RecordTransactionHandler<Contexts> = async () => {
  throw unimplemented("RecordTransaction");
};
