import type { GetUserHandler } from "../../../generated/operator/handlers.ts";
import { admin } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/** Reads a user with its API keys and signing keys. No key itself is shown. */
export const getUser: GetUserHandler<Contexts> = admin.getUser;
