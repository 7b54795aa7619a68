import type { RevokeKeyHandler } from "../../../generated/partner/handlers.ts";
import { revokeOwnKey } from "../../../runtime/operations/admin/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Revokes one of the caller's own signing keys at once. Revoking a revoked one succeeds and changes nothing.
 * The last key that is active stays: register another one first.
 *
 * @see section 5.5 · D-17
 */
export const revokeKey: RevokeKeyHandler<Contexts> = revokeOwnKey;
