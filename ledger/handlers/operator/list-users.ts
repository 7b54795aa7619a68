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
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import type { UserRecord } from "../../../runtime/store/ports/index.ts";
import { usersAfter } from "../../../runtime/store/tables/index.ts";

/** Lists the users of an interface, page by page, by name. @see section 5.2 · D-18 · D-19 */
export const listUsers: ListUsersHandler<Contexts> = async (payload, context) => {
  const { caller } = context;
  const { pageSize = standardPageSize, customerId } = payload;
  const realm = realmOf(context, payload.interface);
  const after = idOf(context, payload.after);
  if (customerId !== undefined && (await scopedReader(context).customer(customerId)) === undefined)
    throw context.error("NOT_FOUND_CUSTOMER", { field: "/customerId" });
  const found = await usersOf(context, realm, after ?? "", { pageSize, customerId });
  const { items, next } = found;
  const users = items.filter((user) => seesUser(caller, user, operatorRealm)).map(userSummary);
  return { users, ...omitUndefined({ next } satisfies Given<ListUsersResult>) };
};

/** Users that one call looks at, whether they fit or not: a call is never long. */
const lookedAtMax = 1_000;

function token({ userName }: UserRecord): string {
  return idToken(userName);
}

/** A page of users by name. Those of a customer are looked for among all: the page may be short, and `next` goes on. */
async function usersOf(
  { store, caller }: Contexts["read"],
  realm: string,
  after: string,
  { pageSize, customerId }: { readonly pageSize: number; readonly customerId: string | undefined },
): Promise<{ readonly items: readonly UserRecord[]; readonly next: string | undefined }> {
  const limit = customerId === undefined ? pageSize + 1 : lookedAtMax;
  const found = await store.many(usersAfter, caller.institutionId, realm, after, limit);
  if (customerId === undefined) return pageOf(found, pageSize, token);
  const fitting = found.filter(({ groups }) => groups?.includes(customerId));
  const last = found.at(-1);
  if (fitting.length > pageSize) return pageOf(fitting, pageSize, token);
  return { items: fitting, next: found.length === limit && last !== undefined ? token(last) : undefined };
}
