import type { ListDeliveriesHandler } from "../../../generated/operator/handlers.ts";
import { listDeliveries as deliveriesOf } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Lists deliveries, page by page, newest first. Every field narrows the list. A page may hold fewer
 * deliveries than asked for, or none, although there are more: next says so.
 *
 * @see section 6 · D-43
 */
export const listDeliveries: ListDeliveriesHandler<Contexts> = deliveriesOf;
