export {
  startEventDelivery,
  type DeliveryObserver,
  type EventDelivery,
  type EventDeliveryOptions,
  type EventSettings,
} from "./delivery.ts";
export type { Resolver } from "./resolver.ts";
export type { AttemptFailure, AttemptOutcome } from "./sender.ts";
export { keySetMaxAgeSeconds, rotateServiceKeys, type KeySet, type ServiceKeys } from "./service-keys.ts";
export { cancelAll, cancelMissed, releaseWaiting, requeue, requeueAll, resume } from "./requeue.ts";
export { eventFor } from "./event-for.ts";
export { testEventName } from "./test-event.ts";
export { readBacklog, type Backlog } from "./backlog.ts";
export { createTail, type Tail, type TailLine } from "./tail.ts";
