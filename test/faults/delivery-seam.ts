import {
  startEventDelivery as startSound,
  type EventDelivery,
  type EventDeliveryOptions,
} from "../../runtime/delivery/index.ts";
import { activeFault } from "./active-fault.ts";

export * from "../../runtime/delivery/index.ts";

/** The delivery of events, with what the active fault does to its ports. */
export function startEventDelivery(options: EventDeliveryOptions): Promise<EventDelivery> {
  return startSound(activeFault?.delivery?.(options) ?? options);
}
