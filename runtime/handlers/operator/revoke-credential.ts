import type { RevokeCredentialHandler } from "../../../generated/operator/handlers.ts";
import { unimplemented } from "../../contract/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Revokes one API key of a user, or all of them, at once. Revoking a revoked one succeeds and changes
 * nothing.
 *
 * @see section 5.2 · D-18
 */
export const revokeCredential: RevokeCredentialHandler<Contexts> = async () => {
  throw unimplemented("RevokeCredential");
};
