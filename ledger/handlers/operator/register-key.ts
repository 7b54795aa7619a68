import type { RegisterKeyHandler } from "../../../generated/operator/handlers.ts";
import { requireApprovalForKey } from "../services/approvals.ts";
import { admin } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Registers a public key for a user, without one-time password: the way in for applications that run on a
 * server. The key is active at once.
 *
 * @see section 5.5 · D-17 · D-21
 */
export const registerKey: RegisterKeyHandler<Contexts> = async (payload, context) => {
  requireApprovalForKey(context, payload.userName);
  return admin.registerKey(payload, context);
};
