import type { GetBacklogHandler } from "../../../generated/operator/handlers.ts";
import { admin } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Tells what waits of the institution, and what was given up. Operators bound to customers may not read it.
 */
export const getBacklog: GetBacklogHandler<Contexts> = async (payload, context) => {
  if (context.caller.groups !== undefined)
    throw context.error("UNAUTHORIZED", { reason: "limited-to-customers" });
  return admin.getBacklog(payload, context);
};
