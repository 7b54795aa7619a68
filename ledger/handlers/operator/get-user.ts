import type { GetUserHandler } from "../../../generated/operator/handlers.ts";
import { apiKeySummary, signingKeySummary, userSummary } from "../presenters/user.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { apiKeysOfUser, signingKeysOfUser } from "../../../runtime/store/tables/index.ts";

/**
 * Reads a user with its API keys and signing keys. No key itself is shown.
 *
 * @see section 5.2 · D-17 · D-18 · D-19
 */
export const getUser: GetUserHandler<Contexts> = async ({ userName }, context) => {
  const user = await scopedReader(context).user(userName);
  if (user === undefined) throw context.error("NOT_FOUND_CREDENTIAL", { field: "/userName" });
  const apiKeys = await apiKeysOfUser(context.store, userName);
  const keys = await signingKeysOfUser(context.store, userName);
  const keyIds = [...apiKeys.map(({ id }) => id), ...keys.map(({ keyId }) => keyId)];
  const lastUses = await context.keyUses.of(context.store, userName, keyIds);
  return {
    user: userSummary(user),
    apiKeys: apiKeys.map((key) => apiKeySummary(key, lastUses)),
    keys: keys.map((key) => signingKeySummary(key, lastUses)),
  };
};
