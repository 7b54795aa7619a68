import type { ListKeysHandler } from "../../../generated/partner/handlers.ts";
import { shownKeys } from "../../../runtime/operations/admin/index.ts";
import type { Contexts } from "./contexts.ts";
import { userByName } from "../../../runtime/store/tables/index.ts";

/**
 * Lists the caller's own API keys and signing keys, the oldest first, without the keys themselves, and says
 * what the caller may call.
 *
 * @see section 5.2 · D-17 · D-18
 */
export const listKeys: ListKeysHandler<Contexts> = async ({ activeOnly = false }, context) => {
  const user = await context.store.one(userByName, context.caller.userName);
  const keys = await shownKeys(context, context.caller.userName, activeOnly);
  return { ...keys, scopes: user?.scopes ?? [] };
};
