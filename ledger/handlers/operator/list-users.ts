import type { ListUsersHandler } from "../../../generated/operator/handlers.ts";
import type { ListUsersResult } from "../../../generated/operator/types.ts";
import { type Given, omitUndefined } from "../../../runtime/contract/index.ts";
import { realmOf, usersPage } from "../../../runtime/operations/admin/index.ts";
import { userSummary } from "../services/admin.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import { operatorRealm } from "../services/realms.ts";
import type { Contexts } from "./contexts.ts";

/** Lists the users of an interface, page by page, by name. @see section 5.2 · D-18 · D-19 */
export const listUsers: ListUsersHandler<Contexts> = async (payload, context) => {
  const { customerId, interface: asked, ...page } = payload;
  const realm = realmOf(context, asked);
  if (customerId !== undefined && (await scopedReader(context).customer(customerId)) === undefined)
    throw context.error("NOT_FOUND_CUSTOMER", { field: "/customerId" });
  const { users, next } = await usersPage(context, operatorRealm, { ...page, realm, group: customerId });
  return { users: users.map(userSummary), ...omitUndefined({ next } satisfies Given<ListUsersResult>) };
};
