import type { PingHandler } from "../../generated/handlers.ts";
import type { Contexts } from "./contexts.ts";

/** Answers to all, without a token. */
export const ping: PingHandler<Contexts> = async () => null;
