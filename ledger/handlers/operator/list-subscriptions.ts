import type { ListSubscriptionsHandler } from "../../../generated/operator/handlers.ts";
import type {
  ListSubscriptionsPayload,
  ListSubscriptionsResult,
  Subscription,
} from "../../../generated/operator/types.ts";
import { type Given, omitUndefined } from "../../../runtime/contract/index.ts";
import { subscriptionOf } from "../presenters/subscription.ts";
import {
  pageOf,
  pageToken,
  placeOf,
  standardPageSize,
  subscriptionsOfGroup,
} from "../../../runtime/operations/admin/index.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { listStart, subscriptionsAfter } from "../../../runtime/store/tables/index.ts";

/**
 * Lists the subscriptions of the institution with their statistics, page by page, oldest first.
 *
 * @see section 6 · D-43
 */
export const listSubscriptions: ListSubscriptionsHandler<Contexts> = async (payload, context) => {
  const { items, next } =
    payload.customerId === undefined
      ? await subscriptionsPage(context, payload)
      : await subscriptionsOfCustomer(context, payload, payload.customerId);
  const subscriptions: Subscription[] = [];
  for (const subscription of await scopedReader(context).subscriptionsOf(items)) {
    subscriptions.push(await subscriptionOf(subscription, context));
  }
  return { subscriptions, ...omitUndefined({ next } satisfies Given<ListSubscriptionsResult>) };
};

type Context = Parameters<ListSubscriptionsHandler<Contexts>>[1];

async function subscriptionsPage(
  context: Context,
  { pageSize = standardPageSize, after }: ListSubscriptionsPayload,
) {
  const { store, caller } = context;
  const place = placeOf(context, after) ?? listStart;
  const { createdAt, id } = place;
  const found = await store.many(subscriptionsAfter, caller.institutionId, createdAt, id, pageSize + 1);
  return pageOf(found, pageSize, pageToken);
}

async function subscriptionsOfCustomer(
  context: Context,
  { pageSize = standardPageSize, after }: ListSubscriptionsPayload,
  customerId: string,
) {
  const customer = await scopedReader(context).customer(customerId);
  if (customer === undefined) throw context.error("NOT_FOUND_CUSTOMER", { field: "/customerId" });
  return subscriptionsOfGroup(context, customer.id, { pageSize, after });
}
