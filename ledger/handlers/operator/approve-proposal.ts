import type { ApproveProposalHandler } from "../../../generated/operator/handlers.ts";
import { proposed } from "../services/proposals.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Approves the proposal of another operator and carries it out, both or neither. The caller must be allowed
 * to call the operation, and must not be the one who proposed it, whichever key signs. What the operation
 * answers, such as a new API key, is in this answer alone.
 *
 * @see section 5.7 · D-18 · D-19
 */
export const approveProposal: ApproveProposalHandler<Contexts> = (payload, context) =>
  proposed.approveProposal(payload, context);
