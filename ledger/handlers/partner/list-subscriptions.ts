import type { ListSubscriptionsHandler } from "../../../generated/partner/handlers.ts";
import type { ListSubscriptionsResult, Subscription } from "../../../generated/partner/types.ts";
import { type Given, omitUndefined } from "../../../runtime/contract/index.ts";
import { subscriptionOf } from "../services/admin.ts";
import { pageOf, pageToken, placeOf, standardPageSize } from "../../../runtime/operations/admin/index.ts";
import type { Contexts } from "./contexts.ts";
import { subscriptionsOfUserAfter } from "../../../runtime/store/tables/index.ts";

/**
 * Lists the caller's own subscriptions with their statistics, page by page, oldest first.
 *
 * @see section 6 · D-43
 */
export const listSubscriptions: ListSubscriptionsHandler<Contexts> = async (payload, context) => {
  const { store, caller } = context;
  const { pageSize = standardPageSize, after } = payload;
  const place = placeOf(context, after);
  const { institutionId, userName } = caller;
  const found = await store.many(
    subscriptionsOfUserAfter,
    institutionId,
    userName,
    place?.createdAt ?? 0,
    place?.id ?? "",
    pageSize + 1,
  );
  const { items, next } = pageOf(found, pageSize, pageToken);
  const subscriptions: Subscription[] = [];
  for (const subscription of items) subscriptions.push(await subscriptionOf(subscription, context));
  return { subscriptions, ...omitUndefined({ next } satisfies Given<ListSubscriptionsResult>) };
};
