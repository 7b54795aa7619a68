import type { ProposeChangeHandler } from "../../../generated/operator/handlers.ts";
import { proposed } from "../services/proposals.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Proposes a change that another operator has to approve: the call of an operation with exactly this payload.
 * The payload is checked now; what it names is looked up when the proposal is approved.
 *
 * @see section 5.7 · D-18 · D-19
 */
export const proposeChange: ProposeChangeHandler<Contexts> = (payload, context) =>
  proposed.proposeChange(payload, context);
