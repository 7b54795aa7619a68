import type { GetProposalHandler } from "../../../generated/operator/handlers.ts";
import { proposed } from "../services/proposals.ts";
import type { Contexts } from "./contexts.ts";

/** Reads a proposal. @see section 5.7 · D-19 */
export const getProposal: GetProposalHandler<Contexts> = (payload, context) =>
  proposed.getProposal(payload, context);
