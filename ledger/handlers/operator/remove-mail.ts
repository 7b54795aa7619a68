import type { RemoveMailHandler } from "../../../generated/operator/handlers.ts";
import { admin } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/** Removes a mail with its attempts. One that is being sent may still arrive. */
export const removeMail: RemoveMailHandler<Contexts> = admin.removeMail;
