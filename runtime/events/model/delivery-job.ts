import type { DeliveryRecord, EventRecord, SubscriptionTarget } from "../../store/ports/index.ts";

/** A delivery with what sending it needs. */
export interface DeliveryJob {
  readonly delivery: DeliveryRecord;
  readonly event: EventRecord;
  readonly subscription: SubscriptionTarget;
}
