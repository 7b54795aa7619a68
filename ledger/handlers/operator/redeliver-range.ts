import type { RedeliverRangeHandler } from "../../../generated/operator/handlers.ts";
import type { RedeliverRangeResult } from "../../../generated/operator/types.ts";
import { type Given, omitUndefined } from "../../../runtime/contract/index.ts";
import { redeliverAll } from "../../../runtime/events/index.ts";
import { timeRange } from "../services/subscriptions/deliveries-page.ts";
import { pageOf, pageToken, placeOf } from "../services/page-token.ts";
import { auditSubscription } from "../services/audit.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { deliveryListing } from "../../../runtime/store/tables/index.ts";

const queuedMax = 1_000;

/**
 * Sends the deliveries of a subscription again whose events happened in a range of time: all that are
 * settled, or the dead letters alone. At most 1000 a call, from the newest down; next tells where to go on.
 *
 * @see section 6 · D-43
 */
export const redeliverRange: RedeliverRangeHandler<Contexts> = async (payload, context) => {
  const { store, caller, clock } = context;
  const { subscriptionId, deadLettersOnly, after } = payload;
  const subscription = await scopedReader(context).subscription(subscriptionId);
  if (subscription === undefined) throw context.error("NOT_FOUND_SUBSCRIPTION", { field: "/subscriptionId" });
  if (!subscription.enabled)
    throw context.error("CONFLICT", { field: "/subscriptionId", reason: "subscription-disabled" });

  const found = await store.page(
    deliveryListing(
      omitUndefined({
        institutionId: caller.institutionId,
        subscriptionId,
        ...timeRange(payload),
        state: deadLettersOnly ? ("DEAD" as const) : undefined,
        after: placeOf(context, after),
        limit: queuedMax + 1,
      }),
    ),
  );
  const { items, next } = pageOf(found, queuedMax, pageToken);
  const settled = items.filter(({ state }) => ["DELIVERED", "DEAD", "CANCELLED"].includes(state));
  await redeliverAll(store, settled, subscription, clock.now());
  await auditSubscription(context, subscriptionId, {
    redelivered: String(settled.length),
    rangeFrom: payload.from,
    rangeTo: payload.to,
  });
  context.events.wake();
  return { queued: settled.length, ...omitUndefined({ next } satisfies Given<RedeliverRangeResult>) };
};
