import type { GetUserResult, Invitation, UserSummary } from "../../../generated/operator/client/index.ts";
import { el, show, type Child } from "../../shared/dom.ts";
import { linkTo, pagedList, section } from "../../shared/page.ts";
import { badge, copyable, facts, notice, table, time } from "../../shared/view.ts";
import type { ConsolePage, PageContext } from "../page.ts";
import { actionButton } from "../session.ts";

export const usersPage: ConsolePage = {
  name: "users",
  title: "Users and keys",
  operation: ([name]) => (name === undefined ? "ListUsers" : "GetUser"),
  show(context) {
    const [userName] = context.args;
    if (userName === undefined) showList(context);
    else showUser(context, userName);
  },
};

function showList({ session, main, refresh }: PageContext): void {
  const issue = actionButton(session, "IssueCredential", {
    label: "Issue a credential",
    isPrimary: true,
    text: "Makes a user and a first API key. The name of the user will begin with your institution and a dot.",
    done: newCredential,
    refresh,
  });
  const invite = actionButton(session, "InviteUser", {
    label: "Invite a partner",
    text: inviteText,
    done: newInvitation,
    refresh,
  });
  const list = pagedList(
    async (after) => {
      const { users, next } = await session.client.listUsers({
        pageSize: 50,
        ...(after !== undefined && { after }),
      });
      return { rows: users, next };
    },
    (users) => userTable(users, "There is no user yet."),
  );
  show(main, el("h1", {}, "Users and keys"), el("p", { class: "actions" }, issue, invite), list);
}

/** Users, or the words for none. */
export function userTable(users: readonly UserSummary[], empty: string): Child {
  return table(
    "Users",
    [
      { title: "User", of: ({ userName }) => linkTo(["users", userName], userName) },
      { title: "Interface", of: (user) => user.interface },
      { title: "Mail", of: ({ email }) => email },
      { title: "Scopes", of: ({ scopes }) => scopes.join(", ") },
      { title: "Customers", of: ({ customerIds }) => customerIds?.length ?? "all", isNumber: true },
      { title: "Since", of: ({ createdDate }) => time(createdDate) },
    ],
    users,
    empty,
  );
}

function showUser(context: PageContext, userName: string): void {
  const { session, main } = context;
  show(
    main,
    el("h1", {}, userName),
    section(
      "Access",
      () => session.client.getUser({ userName }),
      (user) => userDetails(context, user),
    ),
    el("p", {}, linkTo(["audit", "user", userName], "Audit of this user")),
  );
}

function userDetails(context: PageContext, { user, apiKeys, keys }: GetUserResult): Child {
  return [
    facts([
      ["Interface", user.interface],
      ["Mail", user.email],
      ["Scopes", user.scopes.join(", ")],
      ["Customers", user.customerIds?.map((customerId) => [linkTo(["customers", customerId]), " "]) ?? "all"],
      ["Since", time(user.createdDate)],
    ]),
    el("p", { class: "actions" }, userActions(context, user, apiKeys)),
    el("h3", {}, "API keys"),
    apiKeyTable(apiKeys),
    el("h3", {}, "Signing keys"),
    keyTable(context, keys),
  ];
}

function userActions(
  { session, refresh }: PageContext,
  { userName, interface: of }: GetUserResult["user"],
  apiKeys: GetUserResult["apiKeys"],
): Child {
  const fixed = { userName };
  // Whoever has a valid API key signs in with it, and is invited no more.
  const renew =
    of === "ledger" && !apiKeys.some(isValid)
      ? actionButton(session, "RenewInvitation", {
          label: "Send another invitation",
          text: "Makes another link. The one before it ends at once.",
          fixed,
          done: newInvitation,
          refresh,
        })
      : undefined;
  return [
    renew,
    actionButton(session, "RotateCredential", {
      label: "Rotate the credential",
      text: "Issues a new API key; the former one is taken for as long as the overlap says.",
      fixed,
      done: newCredential,
      refresh,
    }),
    actionButton(session, "RegisterKey", {
      label: "Register a key",
      fixed,
      done: ({ KeyId }) => ["The key is registered: ", copyable(KeyId)],
      refresh,
    }),
    actionButton(session, "StartDeviceRegistration", {
      label: "Start a device's registration",
      text: "The one-time password goes to the user by mail; the token goes to the device.",
      fixed,
      done: ({ OtpToken, expiresAt }) => ["The token, until ", time(expiresAt), ": ", copyable(OtpToken)],
      refresh,
    }),
    actionButton(session, "RevokeCredential", {
      label: "Revoke the credential",
      text: "All API keys of the user, or the one that is named, are refused at once and for good.",
      fixed,
      confirm: userName,
      done: ({ revokedApiKeyIds }) => `Revoked: ${revokedApiKeyIds.join(", ") || "none was in force"}.`,
      refresh,
    }),
  ];
}

function stateOf(apiKey: GetUserResult["apiKeys"][number]): string {
  if (apiKey.revokedDate !== undefined) return "REVOKED";
  return isValid(apiKey) ? "ACTIVE" : "EXPIRED";
}

function isValid({ revokedDate, expiresAt }: GetUserResult["apiKeys"][number]): boolean {
  return revokedDate === undefined && (expiresAt === undefined || Date.parse(expiresAt) > Date.now());
}

function apiKeyTable(apiKeys: GetUserResult["apiKeys"]): Child {
  return table(
    "API keys",
    [
      { title: "Identifier", of: ({ apiKeyId }) => el("code", {}, apiKeyId) },
      { title: "Issued", of: ({ createdDate }) => time(createdDate) },
      { title: "Expires", of: ({ expiresAt }) => time(expiresAt) ?? "never" },
      { title: "Last used", of: ({ lastUsedDate }) => time(lastUsedDate) ?? "never" },
      { title: "State", of: (apiKey) => badge(stateOf(apiKey)) },
    ],
    apiKeys,
    "The user has no API key.",
  );
}

function keyTable({ session, refresh }: PageContext, keys: GetUserResult["keys"]): Child {
  return table(
    "Signing keys",
    [
      { title: "Identifier", of: ({ KeyId }) => el("code", {}, KeyId) },
      { title: "Registered", of: ({ createdDate }) => time(createdDate) },
      { title: "Last used", of: ({ lastUsedDate }) => time(lastUsedDate) ?? "never" },
      { title: "State", of: ({ status }) => badge(status) },
      {
        title: "Actions",
        of: ({ KeyId, status }) =>
          status === "REVOKED"
            ? undefined
            : actionButton(session, "RevokeKey", {
                label: "Revoke the key",
                text: `Requests signed with ${KeyId} are refused at once and for good.`,
                fixed: { KeyId },
                confirm: KeyId,
                done: () => "The key is revoked.",
                refresh,
              }),
      },
    ],
    keys,
    "The user has no key.",
  );
}

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

export function newCredential({
  apiKey,
  userName,
}: {
  readonly apiKey: string;
  readonly userName: string;
}): Child {
  return [
    notice("hint", `The API key of ${userName} is shown once. Give it to its user by a safe way.`),
    copyable(apiKey),
  ];
}
