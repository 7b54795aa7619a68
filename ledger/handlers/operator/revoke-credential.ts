import type { RevokeCredentialHandler } from "../../../generated/operator/handlers.ts";
import { admin } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Revokes one API key of a user, or all of them, at once. Revoking a revoked one succeeds and changes
 * nothing. With a user's last one their subscriptions are disabled, and what these were to be sent is cancelled.
 *
 * @see section 5.2 · D-18 · D-48
 */
export const revokeCredential: RevokeCredentialHandler<Contexts> = admin.revokeCredential;
