export {
  startEventDelivery,
  type EventDelivery,
  type EventDeliveryOptions,
  type EventSettings,
} from "./delivery.ts";
export type { Resolver } from "./transport/connection-pools.ts";
export type { AttemptOutcome } from "./model/attempt-outcome.ts";
export { keySetMaxAgeSeconds, rotateServiceKeys } from "./signing/service-keys.ts";
export {
  notificationNow,
  type Notification,
  type NotificationNowOptions,
} from "./signing/notification-now.ts";
export { cancelAll, cancelMissed } from "./operations/cancel.ts";
export { redeliver, redeliverAll, resume, retryAll } from "./operations/redeliver.ts";
export { releasePart } from "./operations/redeliver.ts";
export { eventFor } from "./signing/notification-now.ts";
export { testEventName } from "./model/stored-deliveries.ts";
export {
  ageOf,
  readBacklog,
  readWholeBacklog,
  waitingKinds,
  type Backlog,
  type Waiting,
} from "./operations/backlog.ts";
export { createTail, type TailLine } from "./operations/tail.ts";
