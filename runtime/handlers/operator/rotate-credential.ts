import type { RotateCredentialHandler } from "../../../generated/operator/handlers.ts";
import type { RotateCredentialResult } from "../../../generated/operator/types.ts";
import { type Given, omitUndefined } from "../../contract/index.ts";
import { timestampText } from "../../domain/index.ts";
import type { ApiKeyRecord } from "../../ports/index.ts";
import { isValidApiKey, newApiKey } from "../services/users/api-key.ts";
import { expiryField } from "../services/expiry-field.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";

const standardOverlapSeconds = 24 * 60 * 60;

/**
 * Gives a user a new API key. The former one stays valid for the overlap, so that callers can change over; a
 * user never has more than two valid keys.
 *
 * @see section 5.2 · D-18
 */
export const rotateCredential: RotateCredentialHandler<Contexts> = async (payload, context) => {
  const { store, clock } = context;
  const user = await scopedReader(context).user(payload.userName);
  if (user === undefined) throw context.error("NOT_FOUND_CREDENTIAL", { field: "/userName" });
  const expiresAt = expiryField(context, payload.expiresAt, "/expiresAt");

  const overlapEnd = clock.now() + (payload.overlapSeconds ?? standardOverlapSeconds) * 1000;
  const [former, ...older] = await validKeys(store.apiKeys.ofUser(user.userName), clock.now());
  const formerExpiresAt = Math.min(former?.expiresAt ?? Infinity, overlapEnd);
  if (former !== undefined) await store.apiKeys.replace({ ...former, expiresAt: formerExpiresAt });
  for (const apiKey of older) await store.apiKeys.replace({ ...apiKey, revokedAt: clock.now() });

  const apiKey = newApiKey(context, user.userName, expiresAt);
  await store.apiKeys.insert(apiKey.record);
  context.invalidateCaller(user.userName);
  return {
    ...apiKey.issued,
    ...omitUndefined({
      formerExpireAt: former === undefined ? undefined : timestampText(formerExpiresAt),
    } satisfies Given<RotateCredentialResult>),
  };
};

/** The keys that may still be used, the newest first. */
async function validKeys(
  keys: Promise<readonly ApiKeyRecord[]>,
  nowMs: number,
): Promise<readonly ApiKeyRecord[]> {
  const valid = (await keys).filter((apiKey) => isValidApiKey(apiKey, nowMs));
  return valid.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
}
