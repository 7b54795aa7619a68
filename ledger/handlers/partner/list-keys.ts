import type { ListKeysHandler } from "../../../generated/partner/handlers.ts";
import { apiKeySummary, signingKeySummary } from "../presenters/user.ts";
import { isValidApiKey } from "../services/users/api-key.ts";
import type { Contexts } from "./contexts.ts";
import { apiKeysOfUser, userByName, signingKeysOfUser } from "../../../runtime/store/tables/index.ts";

/**
 * Lists the caller's own API keys and signing keys, the oldest first, without the keys themselves, and says
 * what the caller may call.
 *
 * @see section 5.2 · D-17 · D-18
 */
export const listKeys: ListKeysHandler<Contexts> = async ({ activeOnly = false }, context) => {
  const { store, caller, clock, keyUses } = context;
  const apiKeys = await apiKeysOfUser(store, caller.userName);
  const user = await store.one(userByName, caller.userName);
  const keys = await signingKeysOfUser(store, caller.userName);
  const keyIds = [...apiKeys.map(({ id }) => id), ...keys.map(({ keyId }) => keyId)];
  const lastUses = await keyUses.of(store, caller.userName, keyIds);
  return {
    apiKeys: apiKeys
      .filter((key) => !activeOnly || isValidApiKey(key, clock.now()))
      .map((key) => apiKeySummary(key, lastUses)),
    keys: keys
      .filter(({ status }) => !activeOnly || status === "ACTIVE")
      .map((key) => signingKeySummary(key, lastUses)),
    scopes: user?.scopes ?? [],
  };
};
