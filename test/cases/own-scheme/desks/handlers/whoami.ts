import type { WhoamiHandler } from "../generated/handlers.ts";
import type { Contexts } from "./contexts.ts";

/** Says who calls. */
export const whoami: WhoamiHandler<Contexts> = async (_payload, { auth }) => auth.user.caller.id;
