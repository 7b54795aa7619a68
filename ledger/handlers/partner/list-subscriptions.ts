import type { ListSubscriptionsHandler } from "../../../generated/partner/handlers.ts";
import { subscriptionOf } from "../services/admin.ts";
import {
  pageOf,
  pageToken,
  placeOf,
  shownPage,
  standardPageSize,
} from "../../../runtime/operations/admin/index.ts";
import type { Contexts } from "./contexts.ts";
import { listStart, subscriptionsOfUserAfter } from "../../../runtime/store/tables/index.ts";

/**
 * Lists the caller's own subscriptions with their statistics, page by page, oldest first.
 *
 * @see section 6 · D-43
 */
export const listSubscriptions: ListSubscriptionsHandler<Contexts> = async (payload, context) => {
  const { store, caller } = context;
  const { pageSize = standardPageSize, after } = payload;
  const { createdAt, id } = placeOf(context, after) ?? listStart;
  const { institutionId, userName } = caller;
  const asked = [institutionId, userName, createdAt, id, pageSize + 1] as const;
  const found = await store.many(subscriptionsOfUserAfter, ...asked);
  const { items, next } = pageOf(found, pageSize, pageToken);
  return shownPage(items, next, (each) => subscriptionOf(each, context));
};
