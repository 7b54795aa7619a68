import type { InviteUserHandler } from "../../../generated/operator/handlers.ts";
import { inviteUser as invited } from "../../../runtime/operations/admin/index.ts";
import { requireApproval } from "../services/approvals.ts";
import { invitationOf } from "../presenters/invitation.ts";
import { newUser } from "../services/users.ts";
import { documentedRealm, requirePartnerInterface } from "../services/realms.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Creates a user of the documented interface and an invitation, by which the user makes a key on the
 * partner's page and gets an API key. It is good for one use, and its link is shown in this answer alone. A
 * user has one invitation at most.
 *
 * @see section 5.2 · D-18 · D-19
 */
export const inviteUser: InviteUserHandler<Contexts> = async (payload, context) => {
  requirePartnerInterface(context);
  requireApproval(context, "credentials");
  const userName = await newUser(context, payload, documentedRealm);
  return invitationOf(await invited(context, userName, payload.validHours), context.rules);
};
