import type { StartKeyRegistrationHandler } from "../../../generated/partner/handlers.ts";
import { challengeNewKey } from "../../../runtime/operations/admin/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Gives a challenge for a new signing key of the caller. RegisterKey takes it within five minutes, once, from
 * this user and for this key alone; the private half of the key signs it. Starting changes nothing and may be
 * done any number of times.
 *
 * @see section 5.5 · D-17 · D-21
 */
export const startKeyRegistration: StartKeyRegistrationHandler<Contexts> = challengeNewKey;
