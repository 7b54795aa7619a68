import { isDeepStrictEqual } from "node:util";
import { omitUndefined } from "../../../runtime/contract/index.ts";
import type { UpdateSubscriptionHandler } from "../../../generated/partner/handlers.ts";
import type { UpdateSubscriptionPayload } from "../../../generated/partner/types.ts";
import { replaceSubscription } from "../../books/subscriptions.ts";
import { requireOwnAccounts } from "../services/new-subscription.ts";
import type { SubscriptionRecord } from "../../../runtime/store/ports/index.ts";
import { subscriptionOf } from "../services/admin.ts";
import {
  changeSubscription,
  ownSubscription,
  requirePublicAddress,
} from "../../../runtime/operations/admin/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Changes one of the caller's own subscriptions: what it is called, where and what it is notified of, and
 * whether it is enabled. Fields that are absent stay as they are. What is due while it is not enabled is
 * held. When it is enabled again, what was held and what became a dead letter since its address began to fail
 * is sent if resume says so; otherwise what was held is cancelled. One that the operator has disabled the
 * operator alone enables.
 *
 * @see section 6 · D-40 · D-43 · D-44
 */
export const updateSubscription: UpdateSubscriptionHandler<Contexts> = async (payload, context) => {
  const { callbackUrl, groupId, enabled } = payload;
  if (callbackUrl !== undefined) requirePublicAddress(context, callbackUrl);
  const stored = await ownSubscription(context, payload.subscriptionId);
  if (stored === undefined) throw context.error("NOT_FOUND_SUBSCRIPTION", { field: "/subscriptionId" });
  if (enabled === true && stored.disabledReason === "OPERATOR") {
    throw context.error("CONFLICT", { field: "/enabled", reason: "disabled-by-operator" });
  }
  if (groupId !== undefined) await requireOwnAccounts(context, groupId);
  const subscription = changed(stored, payload, context.clock.now());
  if (groupId !== undefined)
    await replaceSubscription(context.store, { ...stored, groupId: subscription.groupId }, stored);
  const missed = await changeSubscription(context, stored, subscription, payload.resume === true);
  return { subscription: await subscriptionOf(subscription, context), ...missed };
};

/** What is absent stays as it is, and so does everything where nothing changes. */
function changed(
  stored: SubscriptionRecord,
  { enabled, name, callbackUrl, events, groupId, remarks, ordered }: UpdateSubscriptionPayload,
  nowMs: number,
): SubscriptionRecord {
  const { remarks: formerRemarks, ...rest } = switched(stored, enabled ?? stored.enabled, nowMs);
  const next = {
    ...rest,
    ...omitUndefined({ name, callbackUrl, ordered }),
    ...omitUndefined({
      events: events && [...new Set(events)],
      groupId: groupId && [...new Set(groupId)],
      remarks: remarks === "" ? undefined : (remarks ?? formerRemarks),
    }),
  };
  return isDeepStrictEqual(next, stored) ? stored : { ...next, updatedAt: nowMs };
}

/** A subscription that is disabled already keeps its reason. */
function switched(stored: SubscriptionRecord, enabled: boolean, nowMs: number): SubscriptionRecord {
  if (stored.enabled === enabled) return stored;
  const { disabledReason: _reason, disabledAt: _since, ...rest } = stored;
  return {
    ...rest,
    enabled,
    ...omitUndefined({ disabledAt: enabled ? undefined : nowMs }),
    updatedAt: nowMs,
  };
}
