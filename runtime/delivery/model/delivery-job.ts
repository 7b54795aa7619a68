import type { DeliveryRecord, EventRecord, SubscriptionRecord } from "../../ports/index.ts";

/** A delivery with what sending it needs. */
export interface DeliveryJob {
  readonly delivery: DeliveryRecord;
  readonly event: EventRecord;
  readonly subscription: SubscriptionRecord;
}
