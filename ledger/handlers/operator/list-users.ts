import type { ListUsersHandler } from "../../../generated/operator/handlers.ts";
import type { ListUsersResult } from "../../../generated/operator/types.ts";
import { type Given, omitUndefined } from "../../../runtime/contract/index.ts";
import { userSummary } from "../presenters/user.ts";
import {
  idOf,
  idToken,
  pageOf,
  seesUser,
  standardPageSize,
} from "../../../runtime/operations/admin/index.ts";
import { operatorRealm, realmOf } from "../services/users/realms.ts";
import type { Contexts } from "./contexts.ts";
import { usersAfter } from "../../../runtime/store/tables/index.ts";

/** Lists the users of an interface, page by page, by name. @see section 5.2 · D-18 · D-19 */
export const listUsers: ListUsersHandler<Contexts> = async (payload, context) => {
  const { store, caller } = context;
  const { pageSize = standardPageSize } = payload;
  const realm = realmOf(context, payload.interface);
  const after = idOf(context, payload.after);
  const found = await store.many(usersAfter, caller.institutionId, realm, after ?? "", pageSize + 1);
  const { items, next } = pageOf(found, pageSize, ({ userName }) => idToken(userName));
  const users = items.filter((user) => seesUser(caller, user, operatorRealm)).map(userSummary);
  return { users, ...omitUndefined({ next } satisfies Given<ListUsersResult>) };
};
