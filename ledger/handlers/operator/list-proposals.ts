import type { ListProposalsHandler } from "../../../generated/operator/handlers.ts";
import { proposed } from "../services/proposals.ts";
import type { Contexts } from "./contexts.ts";

/** Lists proposals, page by page, the newest first. @see section 5.7 · D-19 */
export const listProposals: ListProposalsHandler<Contexts> = (payload, context) =>
  proposed.listProposals(payload, context);
