import type { PostedNotification } from "../../../../generated/operator/types.ts";
import { notificationNow, type NotificationNowOptions } from "../../../../runtime/events/index.ts";
import type { DeliveryRecord, SubscriptionRecord } from "../../../../runtime/store/ports/index.ts";

/** The notification of a delivery as it would be posted now. @see section 6 · D-41 · D-42 */
export async function postedNotification(
  context: NotificationNowOptions,
  delivery: DeliveryRecord,
  subscription: SubscriptionRecord,
): Promise<PostedNotification> {
  const { id, timestamp, signature, body } = await notificationNow(context, delivery, subscription);
  return { webhookId: id, webhookTimestamp: timestamp, webhookSignature: signature, body };
}
