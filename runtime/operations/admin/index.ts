export { auditPage, listAudit } from "./audit.ts";
export {
  deliveryDetails,
  deliveryHandlers,
  deliveryOf,
  postedNotification,
  sendAgain,
  type DeliveriesAsked,
} from "./deliveries.ts";
export {
  addUser,
  listUsers,
  revokeUser,
  rotateUser,
  type ListedUser,
  type LocalChange,
  type NewUser,
  type UserAccess,
  type UserParts,
  type UserRotation,
} from "./local-users.ts";
export { acceptInvitation, inviteUser } from "./invitations.ts";
export { mailHandlers, type ShownMail } from "./mails.ts";
export { proposalHandlers, type Approval, type ProposalState } from "./proposals.ts";
export {
  idOf,
  idToken,
  pageOf,
  pageToken,
  placeOf,
  standardPageSize,
  timeRange,
  type Failing,
} from "./pages.ts";
export { subscriptionHandlers } from "./subscription-handlers.ts";
export {
  changeSubscription,
  endSubscription,
  newestSecretOf,
  newWebhookSecret,
  queueTestEvent,
  removeSubscription,
  requirePublicAddress,
  rotateSecret,
  sendTest,
  shownPage,
  subscribe,
  subscriptionOf,
  subscriptionsOfGroup,
  subscriptionSecretOf,
  type SubscriptionDraft,
  type Waits,
} from "./subscriptions.ts";
export { challengeNewKey, registerOwnKey, revokeOwnKey } from "./own-keys.ts";
export {
  endSubscriptions,
  expiryField,
  hasValidCredential,
  newApiKey,
  newUser,
  realmOf,
  requireRoomForKey,
  shownKeys,
  signingKeySummary,
  userHandlers,
  userNamePrefix,
  userSummary,
  usersPage,
} from "./users.ts";
export {
  ownDelivery,
  ownSubscription,
  seesGroup,
  seesUser,
  visibleRecords,
  type Visible,
  type VisibilityRules,
} from "./visible.ts";
