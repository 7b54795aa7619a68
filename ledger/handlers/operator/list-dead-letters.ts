import type { ListDeadLettersHandler } from "../../../generated/operator/handlers.ts";
import { deliveriesPage } from "../services/subscriptions/deliveries-page.ts";
import type { Contexts } from "./contexts.ts";

/** Lists the deliveries that were given up, page by page, newest first. @see section 6 · D-43 */
export const listDeadLetters: ListDeadLettersHandler<Contexts> = (payload, context) =>
  deliveriesPage(context, { ...payload, state: "DEAD" });
