import type {
  DisabledReason,
  Subscription,
  SubscriptionSecret,
  SubscriptionStatistics,
  EventName,
} from "../../../generated/operator/types.ts";
import { type Given, omitUndefined } from "../../../runtime/contract/index.ts";
import { timestampText } from "../../../runtime/contract/timestamps.ts";
import type { ReadContext } from "../../../runtime/service/handler-context.ts";
import type { Sealer, SubscriptionRecord } from "../../../runtime/store/ports/index.ts";
import { optionalTimestamp } from "./optional-timestamp.ts";
import { healthOfSubscription, countedOfSubscription } from "../../../runtime/store/tables/index.ts";

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

async function statisticsOf(
  subscriptionId: string,
  { store, clock }: Pick<ReadContext, "store" | "clock">,
): Promise<SubscriptionStatistics> {
  const health = await store.one(healthOfSubscription, subscriptionId);
  const isPaused = (health?.pausedUntil ?? 0) > clock.now();
  return {
    delivered: health?.delivered ?? 0,
    failedAttempts: health?.failedAttempts ?? 0,
    deadLetters: health?.deadLetters ?? 0,
    pending: await store.count(countedOfSubscription, "PENDING", subscriptionId, 0),
    waiting: await store.count(countedOfSubscription, "WAITING", subscriptionId, 0),
    held: await store.count(countedOfSubscription, "HELD", subscriptionId, 0),
    ...omitUndefined({
      lastDeliveredDate: optionalTimestamp(health?.lastDeliveredAt),
      lastFailedDate: optionalTimestamp(health?.lastFailedAt),
      lastFailure: health?.lastFailure,
      failingSince: optionalTimestamp(health?.failingSince),
      pausedUntil: isPaused ? optionalTimestamp(health?.pausedUntil) : undefined,
    } satisfies Given<SubscriptionStatistics>),
  };
}

/** Its secrets, opened. The former one is shown as long as it signs. */
export function subscriptionSecretOf(
  { id, secretSealed, formerSecretSealed, formerSecretUntil = 0 }: SubscriptionRecord,
  sealer: Sealer,
  nowMs: number,
): SubscriptionSecret {
  const former = formerSecretUntil > nowMs ? formerSecretSealed : undefined;
  return {
    subscriptionId: id,
    secret: sealer.open(secretSealed),
    ...omitUndefined({
      formerSecret: former === undefined ? undefined : sealer.open(former),
      formerSecretUntil: former === undefined ? undefined : timestampText(formerSecretUntil),
    } satisfies Given<SubscriptionSecret>),
  };
}
