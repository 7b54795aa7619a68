import type { GetUserHandler } from "../../../generated/branch/handlers.ts";
import type { Contexts } from "./contexts.ts";

/** Reads who calls. @see section 1 */
export const getUser: GetUserHandler<Contexts> = async (_payload, context) => ({
  userName: context.caller.userName,
});
