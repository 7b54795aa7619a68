import type { RejectProposalHandler } from "../../../generated/operator/handlers.ts";
import { proposed } from "../services/proposals.ts";
import type { Contexts } from "./contexts.ts";

/** Rejects a proposal. Whoever proposed it withdraws it so. @see section 5.7 · D-18 · D-19 */
export const rejectProposal: RejectProposalHandler<Contexts> = (payload, context) =>
  proposed.rejectProposal(payload, context);
