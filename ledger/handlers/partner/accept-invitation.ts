import type { AcceptInvitationHandler } from "../../../generated/partner/handlers.ts";
import { acceptInvitation as accepted } from "../../../runtime/operations/admin/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Registers the first key of a user whom the operator has invited, and gives the user an API key. The
 * credential is the user's name and the token of the invitation; the call is signed by the private half of
 * PublicKey. An invitation is good for one use. The API key is shown once, in this answer.
 *
 * @see section 5.2 · D-18 · D-21
 */
export const acceptInvitation: AcceptInvitationHandler<Contexts> = accepted;
