import type { EventName, SubscriptionSummary } from "../../../generated/ledger/types.ts";
import { omitUndefined } from "../../../runtime/contract/index.ts";
import { timestampText } from "../../../runtime/contract/times.ts";
import type { SubscriptionRecord } from "../../../runtime/store/ports/index.ts";
const eventNames: readonly EventName[] = [
  "Transaction.NEW",
  "Transaction.UPDATE",
  "Account.UPDATE",
  "Account.NEW",
];

/** A subscription as its subscriber sees it (section 2.8). */
export function subscriptionSummary(subscription: SubscriptionRecord): SubscriptionSummary {
  return {
    id: subscription.id,
    name: subscription.name,
    callbackUrl: subscription.callbackUrl,
    events: eventNames.filter((name) => subscription.events.includes(name)),
    groupId: subscription.groupId,
    ...omitUndefined({ remarks: subscription.remarks }),
    status: subscription.enabled ? "ENABLED" : "DISABLED",
    createdDate: timestampText(subscription.createdAt),
    updatedDate: timestampText(subscription.updatedAt),
  };
}
