import type { RegisterKeyHandler } from "../../../generated/partner/handlers.ts";
import { registerOwnKey } from "../../../runtime/operations/admin/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Registers a further signing key of the caller. The call is signed by a key that the caller has; proof shows
 * that the caller also holds the private half of the new one. The key is active at once.
 *
 * @see section 5.5 · D-17 · D-21
 */
export const registerKey: RegisterKeyHandler<Contexts> = registerOwnKey;
