import type { ListSubscriptionsHandler } from "../../../generated/operator/handlers.ts";
import type { ListSubscriptionsResult, Subscription } from "../../../generated/operator/types.ts";
import { type Given, omitUndefined } from "../../../runtime/contract/index.ts";
import { subscriptionOf } from "../presenters/subscription.ts";
import { pageOf, pageToken, placeOf, standardPageSize } from "../../../runtime/operations/admin/index.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { subscriptionsAfter } from "../../../runtime/store/tables/index.ts";

/**
 * Lists the subscriptions of the institution with their statistics, page by page, oldest first.
 *
 * @see section 6 · D-43
 */
export const listSubscriptions: ListSubscriptionsHandler<Contexts> = async (payload, context) => {
  const { store, caller } = context;
  const { pageSize = standardPageSize, after } = payload;
  const found = await store.many(
    subscriptionsAfter,
    caller.institutionId,
    placeOf(context, after)?.createdAt ?? 0,
    placeOf(context, after)?.id ?? "",
    pageSize + 1,
  );
  const { items, next } = pageOf(found, pageSize, pageToken);
  const subscriptions: Subscription[] = [];
  for (const subscription of await scopedReader(context).subscriptionsOf(items)) {
    subscriptions.push(await subscriptionOf(subscription, context));
  }
  return { subscriptions, ...omitUndefined({ next } satisfies Given<ListSubscriptionsResult>) };
};
