import type { ListDeadLettersHandler } from "../../../generated/operator/handlers.ts";
import { admin } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/** Lists the deliveries that were given up, page by page, newest first. */
export const listDeadLetters: ListDeadLettersHandler<Contexts> = admin.listDeadLetters;
