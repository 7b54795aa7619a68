import type { DeliveryRecord } from "../../store/ports/index.ts";

/** The name of the event that `SendTestEvent` creates. */
export const testEventName = "Test";

/** Whether the delivery is of a test event: attempted once, also where the subscription is not enabled. */
export function isTestEvent({
  eventName,
  sequence,
}: Pick<DeliveryRecord, "eventName" | "sequence">): boolean {
  return sequence === 0 && eventName === testEventName;
}
