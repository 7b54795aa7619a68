import type { ListKeysHandler } from "../../../generated/partner/handlers.ts";
import { apiKeySummary, signingKeySummary } from "../presenters/user.ts";
import { isValidApiKey } from "../services/api-key.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Lists the caller's own API keys and signing keys, the oldest first, without the keys themselves.
 *
 * @see section 5.2 · D-17 · D-18
 */
export const listKeys: ListKeysHandler<Contexts> = async ({ activeOnly = false }, context) => {
  const { store, caller, clock } = context;
  const apiKeys = await store.apiKeys.ofUser(caller.userName);
  const keys = await store.deviceKeys.ofUser(caller.userName);
  return {
    apiKeys: apiKeys.filter((key) => !activeOnly || isValidApiKey(key, clock.now())).map(apiKeySummary),
    keys: keys.filter(({ status }) => !activeOnly || status === "ACTIVE").map(signingKeySummary),
  };
};
