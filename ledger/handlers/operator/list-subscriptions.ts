import type { ListSubscriptionsHandler } from "../../../generated/operator/handlers.ts";
import {
  shownPage,
  standardPageSize,
  subscriptionsOfGroup,
} from "../../../runtime/operations/admin/index.ts";
import { admin, subscriptionOf } from "../services/admin.ts";
import { scopedReader, visible } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Lists the subscriptions of the institution with their statistics, page by page, oldest first.
 *
 * @see section 6 · D-43
 */
export const listSubscriptions: ListSubscriptionsHandler<Contexts> = async (payload, context) => {
  const { customerId, after, pageSize = standardPageSize } = payload;
  if (customerId === undefined) return admin.listSubscriptions(payload, context);
  if ((await scopedReader(context).customer(customerId)) === undefined)
    throw context.error("NOT_FOUND_CUSTOMER", { field: "/customerId" });
  const { items, next, tokenOf } = await subscriptionsOfGroup(context, customerId, { pageSize, after });
  const seen = await visible(context).subscriptionsOf(items);
  return shownPage(seen, next, (each) => subscriptionOf(each, context), tokenOf);
};
