export {
  startEventDelivery,
  type EventDelivery,
  type EventDeliveryOptions,
  type EventSettings,
} from "./delivery.ts";
export type { CourierObserver } from "./courier.ts";
export type { Resolver } from "./resolver.ts";
export type { AttemptFailure, AttemptOutcome } from "./sender.ts";
export { keySetMaxAgeSeconds, rotateServiceKeys, type KeySet, type ServiceKeys } from "./service-keys.ts";
