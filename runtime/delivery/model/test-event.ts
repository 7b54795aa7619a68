import type { DeliveryRecord } from "../../ports/index.ts";

/** The name of an event that announces nothing: `SendTestEvent` makes it. */
export const testEventName = "Test";

/** Whether it is a test event: attempted once, also where the subscription is not enabled. */
export function isTestEvent({
  eventName,
  sequence,
}: Pick<DeliveryRecord, "eventName" | "sequence">): boolean {
  return sequence === 0 && eventName === testEventName;
}
