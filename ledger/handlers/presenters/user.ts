import type { UserSummary } from "../../../generated/operator/types.ts";
import { type Given, omitUndefined } from "../../../runtime/contract/index.ts";
import { timestampText } from "../../../runtime/contract/times.ts";
import type { UserRecord } from "../../../runtime/store/ports/index.ts";

/** A user as operators see it: without one-time passwords. */
export function userSummary(user: UserRecord): UserSummary {
  const { userName, realm, email, scopes, groups, createdAt } = user;
  return {
    userName,
    interface: realm,
    email,
    scopes,
    ...omitUndefined({ customerIds: groups } satisfies Given<UserSummary>),
    createdDate: timestampText(createdAt),
  };
}
