import type { DisabledReason, Subscription, EventName } from "../../../generated/operator/types.ts";
import { type Given, omitUndefined } from "../../../runtime/contract/index.ts";
import { timestampText } from "../../../runtime/contract/times.ts";
import type { ReadContext } from "../../../runtime/service/handler-context.ts";
import type { SubscriptionRecord } from "../../../runtime/store/ports/index.ts";
import { optionalTimestamp, statisticsOf } from "../../../runtime/operations/admin/index.ts";

const eventNames: readonly EventName[] = [
  "Transaction.NEW",
  "Transaction.UPDATE",
  "Account.UPDATE",
  "Account.NEW",
];

/** A subscription as the operator sees it, with how its deliveries go. */
export async function subscriptionOf(
  subscription: SubscriptionRecord,
  context: Pick<ReadContext, "store" | "clock">,
): Promise<Subscription> {
  const { events, enabled } = subscription;
  return {
    subscriptionId: subscription.id,
    userName: subscription.userName,
    name: subscription.name,
    callbackUrl: subscription.callbackUrl,
    events: eventNames.filter((name) => events.includes(name)),
    groupId: subscription.groupId,
    ...omitUndefined({
      remarks: subscription.remarks,
      disabledReason: disabledReasonOf(subscription),
      disabledDate: optionalTimestamp(subscription.disabledAt),
    } satisfies Given<Subscription>),
    enabled,
    ordered: subscription.ordered,
    createdDate: timestampText(subscription.createdAt),
    updatedDate: timestampText(subscription.updatedAt),
    statistics: await statisticsOf(subscription.id, context),
  };
}

function disabledReasonOf({ enabled, disabledReason }: SubscriptionRecord): DisabledReason | undefined {
  return enabled ? undefined : (disabledReason ?? "SUBSCRIBER");
}
