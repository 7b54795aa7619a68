import type { GetUserResult, UserSummary } from "../../../generated/admin/client/index.ts";
import { el, show, type Child } from "../../shared/dom.ts";
import { linkTo, pagedList, section, type ContextOf, type PageOf } from "../../shared/page.ts";
import { actions, badge, copyable, facts, notice, table, time } from "../../shared/view.ts";
import { actionButton, type Session } from "../session.ts";

/** What an application says of its users, and what more it does with them. */
export interface UserParts<Own extends Session, User> {
  /** The groups of records that a user is bound to. */
  readonly groups: {
    readonly title: string;
    readonly of: (user: User) => readonly string[] | undefined;
    readonly show: (group: string) => Child;
  };
  /** Buttons of the list. */
  readonly listActions?: (context: ContextOf<Own>) => Child;
  /** Buttons of one user, before and after those that rotate credentials and register keys. */
  readonly userActions?: (
    context: ContextOf<Own>,
    user: User,
    apiKeys: GetUserResult["apiKeys"],
  ) => { readonly before?: Child; readonly after?: Child };
}

/** Users with their API keys and signing keys. */
export function usersPageOf<User extends UserSummary, Own extends Session<User>>(
  parts: UserParts<Own, User>,
): PageOf<Own> {
  return {
    name: "users",
    title: "Users and keys",
    operation: ([name]) => (name === undefined ? "ListUsers" : "GetUser"),
    show(context) {
      const [userName] = context.args;
      if (userName === undefined) showList(context, parts);
      else showUser(context, parts, userName);
    },
  };
}

/** The users of an application that adds nothing to them. */
export const usersPage: PageOf<Session> = usersPageOf({
  groups: { title: "Groups", of: ({ groups }: UserSummary) => groups, show: (group) => group },
});

function showList<User extends UserSummary, Own extends Session<User>>(
  context: ContextOf<Own>,
  { groups, listActions }: UserParts<Own, User>,
): void {
  const { session, main, refresh } = context;
  const issue = actionButton(session, "IssueCredential", {
    label: "Issue a credential",
    isPrimary: true,
    text: "Makes a user and a first API key. The name of the user will begin with your institution and a dot.",
    done: newCredential,
    refresh,
  });
  const list = pagedList(
    (place) => session.client.listUsers({ pageSize: 50, ...place }),
    ({ users }) => users,
    (users) => userTable(users, groups, "There is no user yet."),
  );
  show(main, el("h1", {}, "Users and keys"), actions(issue, listActions?.(context)), list);
}

/** Users, or the words for none. */
export function userTable<User extends UserSummary>(
  users: readonly User[],
  groups: Pick<UserParts<Session, User>["groups"], "title" | "of">,
  empty: string,
): Child {
  return table(
    "Users",
    [
      { title: "User", of: ({ userName }) => linkTo(["users", userName], userName) },
      { title: "Interface", of: (user) => user.interface },
      { title: "Mail", of: ({ email }) => email },
      { title: "Scopes", of: ({ scopes }) => scopes.join(", ") },
      { title: groups.title, of: (user) => groups.of(user)?.length ?? "all", isNumber: true },
      { title: "Since", of: ({ createdDate }) => time(createdDate) },
    ],
    users,
    empty,
  );
}

function showUser<User extends UserSummary, Own extends Session<User>>(
  context: ContextOf<Own>,
  parts: UserParts<Own, User>,
  userName: string,
): void {
  const { session, main } = context;
  show(
    main,
    el("h1", {}, userName),
    section(
      "Access",
      () => session.client.getUser({ userName }),
      ({ user, apiKeys, keys }) => [
        userFacts(user, parts),
        actions(userActions(context, parts, user, apiKeys)),
        el("h3", {}, "API keys"),
        apiKeyTable(apiKeys),
        el("h3", {}, "Signing keys"),
        keyTable(context, keys),
      ],
    ),
    el("p", {}, linkTo(["audit", "user", userName], "Audit of this user")),
  );
}

function userFacts<User extends UserSummary>(
  user: User,
  { groups }: Pick<UserParts<Session, User>, "groups">,
): Child {
  return facts([
    ["Interface", user.interface],
    ["Mail", user.email],
    ["Scopes", user.scopes.join(", ")],
    [groups.title, groups.of(user)?.map((group) => [groups.show(group), " "]) ?? "all"],
    ["Since", time(user.createdDate)],
  ]);
}

function userActions<User extends UserSummary, Own extends Session<User>>(
  context: ContextOf<Own>,
  parts: UserParts<Own, User>,
  user: User,
  apiKeys: GetUserResult["apiKeys"],
): Child {
  const { session, refresh } = context;
  const { userName } = user;
  const fixed = { userName };
  const own = parts.userActions?.(context, user, apiKeys);
  return [
    own?.before,
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
    own?.after,
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

/** Whether a user signs in with the API key. */
export function isValid({ revokedDate, expiresAt }: GetUserResult["apiKeys"][number]): boolean {
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

function keyTable({ session, refresh }: ContextOf<Session>, keys: GetUserResult["keys"]): Child {
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

/** A new API key, which nobody can show again. */
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
