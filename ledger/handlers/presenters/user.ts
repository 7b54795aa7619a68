import type { ApiKeySummary, SigningKeySummary, UserSummary } from "../../../generated/operator/types.ts";
import { type Given, omitUndefined } from "../../../runtime/contract/index.ts";
import { timestampText } from "../../../runtime/contract/timestamps.ts";
import type { ApiKeyRecord, DeviceKeyRecord, UserRecord } from "../../../runtime/store/ports/index.ts";
import { optionalTimestamp } from "./optional-timestamp.ts";

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

/** An API key without its hash. */
export function apiKeySummary(
  { id, createdAt, expiresAt, revokedAt }: ApiKeyRecord,
  lastUses: LastUses,
): ApiKeySummary {
  return {
    apiKeyId: id,
    createdDate: timestampText(createdAt),
    ...omitUndefined({
      expiresAt: optionalTimestamp(expiresAt),
      revokedDate: optionalTimestamp(revokedAt),
      lastUsedDate: optionalTimestamp(lastUses.get(id)),
    } satisfies Given<ApiKeySummary>),
  };
}

export function signingKeySummary(
  {
    keyId,
    status,
    createdAt,
    revokedAt,
  }: Pick<DeviceKeyRecord, "keyId" | "status" | "createdAt" | "revokedAt">,
  lastUses: LastUses,
): SigningKeySummary {
  return {
    KeyId: keyId,
    status,
    createdDate: timestampText(createdAt),
    ...omitUndefined({
      revokedDate: optionalTimestamp(revokedAt),
      lastUsedDate: optionalTimestamp(lastUses.get(keyId)),
    } satisfies Given<SigningKeySummary>),
  };
}

/** When keys were last used, by identifier. */
type LastUses = ReadonlyMap<string, number>;
