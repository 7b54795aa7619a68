import {
  startEventDelivery as startSound,
  type EventDelivery,
  type EventDeliveryOptions,
} from "../../runtime/events/index.ts";
import { activeFault } from "./active-fault.ts";
import { watchSealer } from "./webhook-signer.ts";

export * from "../../runtime/events/index.ts";

/** The delivery of events, with what the active fault does to its ports. */
export function startEventDelivery(options: EventDeliveryOptions): Promise<EventDelivery> {
  const watched = activeFault?.notification === undefined ? options : watchSealer(options);
  return startSound(activeFault?.delivery?.(watched) ?? watched);
}
