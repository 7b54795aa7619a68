import type { ListSubscriptionsHandler } from "../../../generated/operator/handlers.ts";
import type { ListSubscriptionsResult, Subscription } from "../../../generated/operator/types.ts";
import { type Given, omitUndefined } from "../../../runtime/contract/index.ts";
import { standardPageSize, subscriptionsOfGroup } from "../../../runtime/operations/admin/index.ts";
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
  const { items, next } = await subscriptionsOfGroup(context, customerId, { pageSize, after });
  const subscriptions: Subscription[] = [];
  for (const each of await visible(context).subscriptionsOf(items))
    subscriptions.push(await subscriptionOf(each, context));
  return { subscriptions, ...omitUndefined({ next } satisfies Given<ListSubscriptionsResult>) };
};
