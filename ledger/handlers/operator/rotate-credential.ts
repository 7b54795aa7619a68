import type { RotateCredentialHandler } from "../../../generated/operator/handlers.ts";
import { requireApprovalForKey } from "../services/approvals.ts";
import { admin } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Gives a user a new API key. The former one stays valid for the overlap, so that callers can change over; a
 * user never has more than two valid keys.
 *
 * @see section 5.2 · D-18
 */
export const rotateCredential: RotateCredentialHandler<Contexts> = async (payload, context) => {
  requireApprovalForKey(context, payload.userName);
  return admin.rotateCredential(payload, context);
};
