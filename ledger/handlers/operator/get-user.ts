import type { GetUserHandler } from "../../../generated/operator/handlers.ts";
import { shownKeys } from "../../../runtime/operations/admin/index.ts";
import { userSummary } from "../presenters/user.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Reads a user with its API keys and signing keys. No key itself is shown.
 *
 * @see section 5.2 · D-17 · D-18 · D-19
 */
export const getUser: GetUserHandler<Contexts> = async ({ userName }, context) => {
  const user = await scopedReader(context).user(userName);
  if (user === undefined) throw context.error("NOT_FOUND_CREDENTIAL", { field: "/userName" });
  return { user: userSummary(user), ...(await shownKeys(context, userName)) };
};
