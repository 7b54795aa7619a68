import type { RenewInvitationHandler } from "../../../generated/operator/handlers.ts";
import { hasValidCredential, inviteUser } from "../../../runtime/operations/admin/index.ts";
import { requireApproval } from "../services/approvals.ts";
import { invitationOf } from "../presenters/invitation.ts";
import { visible } from "../services/scoped-reader.ts";
import { documentedRealm, requirePartnerInterface } from "../services/realms.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Gives a user who has no valid API key another invitation: one whose first link was lost or is over, or
 * whose credentials were revoked. An invitation before it ends at once, as it does when the user's
 * credentials are revoked.
 *
 * @see section 5.2 · D-18
 */
export const renewInvitation: RenewInvitationHandler<Contexts> = async (payload, context) => {
  requirePartnerInterface(context);
  requireApproval(context, "credentials");
  const user = await visible(context).user(payload.userName);
  if (user?.realm !== documentedRealm) throw context.error("NOT_FOUND_CREDENTIAL", { field: "/userName" });
  if (await hasValidCredential(context, user.userName))
    throw context.error("CONFLICT", { field: "/userName", reason: "has-credential" });
  return invitationOf(await inviteUser(context, user.userName, payload.validHours), context.rules);
};
