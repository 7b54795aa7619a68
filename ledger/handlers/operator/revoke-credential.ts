import type { RevokeCredentialHandler } from "../../../generated/operator/handlers.ts";
import { endSubscriptions, hasValidCredential } from "../services/users/revoked-user.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { apiKeysOfUser, apiKeys } from "../../../runtime/store/tables/index.ts";

/**
 * Revokes one API key of a user, or all of them, at once. Revoking a revoked one succeeds and changes
 * nothing. With a user's last one their subscriptions are disabled, and what these were to be sent is cancelled.
 *
 * @see section 5.2 · D-18 · D-48
 */
export const revokeCredential: RevokeCredentialHandler<Contexts> = async (payload, context) => {
  const { store, clock } = context;
  const user = await scopedReader(context).user(payload.userName);
  if (user === undefined) throw context.error("NOT_FOUND_CREDENTIAL", { field: "/userName" });
  const all = await apiKeysOfUser(store, user.userName);
  const asked = all.filter(({ id }) => payload.apiKeyId === undefined || payload.apiKeyId === id);
  if (payload.apiKeyId !== undefined && asked.length === 0) {
    throw context.error("NOT_FOUND_CREDENTIAL", { field: "/apiKeyId" });
  }

  for (const apiKey of asked) {
    if (apiKey.revokedAt === undefined)
      await store.replace(apiKeys, { ...apiKey, revokedAt: clock.now() }, apiKey);
  }
  if (!(await hasValidCredential(context, user.userName))) await endSubscriptions(context, user);
  context.invalidateCaller(user.userName);
  return { userName: user.userName, revokedApiKeyIds: asked.map(({ id }) => id) };
};
