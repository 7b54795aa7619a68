import type { Invitation, UserSummary } from "../../../generated/operator/client/index.ts";
import { isValid, usersPageOf, type UserParts } from "../../console/pages/users.ts";
import type { Child } from "../../shared/dom.ts";
import { linkTo } from "../../shared/page.ts";
import { copyable, notice, time } from "../../shared/view.ts";
import { actionButton, type BankPage, type BankSession } from "../session.ts";

/** The customers that a user is bound to. */
export const customersOfUser: UserParts<BankSession, UserSummary>["groups"] = {
  title: "Customers",
  of: ({ customerIds }) => customerIds,
  show: (customerId) => linkTo(["customers", customerId]),
};

/** Users, and the ways in that the bank adds: invitations and devices. */
export const usersPage: BankPage = usersPageOf<UserSummary, BankSession>({
  groups: customersOfUser,
  listActions: ({ session, refresh }) =>
    actionButton(session, "InviteUser", {
      label: "Invite a partner",
      text: inviteText,
      done: newInvitation,
      refresh,
    }),
  userActions({ session, refresh }, { userName, interface: of }, apiKeys) {
    const fixed = { userName };
    return {
      // A user with a valid API key signs in with it and needs no invitation.
      before:
        of === "ledger" && !apiKeys.some(isValid)
          ? actionButton(session, "RenewInvitation", {
              label: "Send another invitation",
              text: "Makes another link. The one before it ends at once.",
              fixed,
              done: newInvitation,
              refresh,
            })
          : undefined,
      after: actionButton(session, "StartDeviceRegistration", {
        label: "Start a device's registration",
        text: "The one-time password goes to the user by mail; the token goes to the device.",
        fixed,
        done: ({ OtpToken, expiresAt }) => ["The token, until ", time(expiresAt), ": ", copyable(OtpToken)],
        refresh,
      }),
    };
  },
});

/** What an invitation is for. */
export const inviteText =
  "Makes a user, and a link to the partner's page by which the user makes a key and gets an API key. The name of the user will begin with your institution and a dot.";

/** The link of an invitation, which nobody can show again. */
export function newInvitation({
  userName,
  link,
  expiresAt,
}: Pick<Invitation, "userName" | "link" | "expiresAt">): Child {
  const advice = link.startsWith("/") ? " Put the address of the documented interface before it." : "";
  return [
    notice(
      "hint",
      `The link for ${userName} is shown once. It is good for one use, until `,
      time(expiresAt),
      `. Send it to that person by a safe way.${advice}`,
    ),
    copyable(link),
  ];
}
