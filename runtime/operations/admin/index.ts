export { auditPage, systemActor, type AuditAsked } from "./audit.ts";
export {
  deliveryDetails,
  deliveryHandlers,
  deliveryOf,
  postedNotification,
  sendAgain,
  type DeliveriesAsked,
} from "./deliveries.ts";
export { mailHandlers, type ShownMail } from "./mails.ts";
export {
  idOf,
  idToken,
  optionalTimestamp,
  pageOf,
  pageToken,
  placeOf,
  standardPageSize,
  timeRange,
  type Failing,
} from "./pages.ts";
export {
  changeSubscription,
  endSubscription,
  newWebhookSecret,
  queueTestEvent,
  removeSubscription,
  requireRoomForSubscription,
  rotateSecret,
  sendTest,
  statisticsOf,
  subscriptionHandlers,
  subscriptionSecretOf,
  type MissedEvents,
} from "./subscriptions.ts";
export { challengeNewKey, registerOwnKey, revokeOwnKey } from "./own-keys.ts";
export {
  endSubscriptions,
  expiryField,
  hasValidCredential,
  isValidApiKey,
  newApiKey,
  replaceApiKey,
  requireRoomForKey,
  shownKeys,
  signingKeySummary,
  userHandlers,
  userNamePrefix,
} from "./users.ts";
export {
  ownDelivery,
  ownSubscription,
  seesGroup,
  seesUser,
  visibleRecords,
  type Visible,
  type VisibilityRules,
  type VisibleRecords,
} from "./visible.ts";
