import type { ListUsersHandler } from "../../../generated/operator/handlers.ts";
import { omitUndefined } from "../../contract/index.ts";
import type { UserRecord } from "../../ports/index.ts";
import { userSummary } from "../presenters/user.ts";
import { lastOf, listToken } from "../services/list-token.ts";
import { standardPageSize } from "../services/page-token.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";

/** Lists the users of the documented interface, page by page, by name. @see section 5.2 · D-18 · D-19 */
export const listUsers: ListUsersHandler<Contexts> = async (payload, context) => {
  const { store, caller } = context;
  const { pageSize = standardPageSize } = payload;
  const after = lastOf(context, payload.after);
  const found = await store.users.list(caller.institutionId, pageSize + 1, after);
  const page = found.slice(0, pageSize);
  const last = page.at(-1);
  const next = found.length > pageSize && last !== undefined ? listToken(last.userName) : undefined;
  const users: UserRecord[] = [];
  for (const { userName } of page) {
    const user = await scopedReader(context).user(userName);
    if (user !== undefined) users.push(user);
  }
  return { users: users.map(userSummary), ...omitUndefined({ next }) };
};
