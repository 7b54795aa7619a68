import type { AdminHandlers } from "../../../generated/admin/handlers.ts";
import { adminInterface } from "../../../generated/admin/methods.ts";
import { omitUndefined } from "../../contract/index.ts";
import type { ReadContext, WriteContext } from "../../pipeline/handler-context.ts";
import { apiKeys } from "../../store/tables/index.ts";
import { listAudit } from "./audit.ts";
import { deliveryHandlers } from "./deliveries.ts";
import { mailHandlers } from "./mails.ts";
import { subscriptionHandlers } from "./subscription-handlers.ts";
import { subscriptionOf } from "./subscriptions.ts";
import { expiryField, newApiKey, newUser, realmOf, userHandlers, usersPage, userSummary } from "./users.ts";
import { seesGroup, visibleRecords, type Visible } from "./visible.ts";

interface Contexts {
  readonly read: ReadContext;
  readonly write: WriteContext;
}

/**
 * The handlers of the administration interface, for any application. `operators` names the interface that they are a part
 * of: its users are the operators. Default: `admin`.
 */
// oxlint-disable-next-line max-lines-per-function -- a table of handlers that find by the same rules
export function adminHandlers(operators: string = adminInterface.name): AdminHandlers<Contexts> {
  // The engine knows no groups of recipients: operators who see all groups see their mails.
  const visible: Visible = (context) =>
    visibleRecords(context, { operators, groupOfRecipient: () => Promise.resolve(undefined) });
  const users = userHandlers(visible, userSummary);
  const deliveries = deliveryHandlers(visible);
  const mails = mailHandlers(visible);
  const subscriptions = subscriptionHandlers({
    visible,
    source: operators,
    shown: subscriptionOf,
    takes: ({ realm }) => realm !== operators,
    refusalOf: () => Promise.resolve(undefined),
  });
  return {
    async ListUsers({ interface: asked, ...page }, context) {
      const realm = realmOf(context, asked);
      const { users: found, next } = await usersPage(context, operators, { ...page, realm });
      return { users: found.map(userSummary), ...omitUndefined({ next }) };
    },
    GetUser: users.getUser,
    async IssueCredential({ interface: asked, expiresAt, ...user }, context) {
      if (user.groups?.some((group) => !seesGroup(context.caller, group)))
        throw context.error("UNAUTHORIZED", { reason: "limited-to-groups" });
      const realm = realmOf(context, asked);
      const expiry = expiryField(context, expiresAt, "/expiresAt");
      const userName = await newUser(context, user, realm);
      const { record, issued } = newApiKey(context, userName, expiry);
      await context.store.insert(apiKeys, record);
      context.invalidateCaller(userName);
      return issued;
    },
    RotateCredential: users.rotateCredential,
    RevokeCredential: users.revokeCredential,
    RegisterKey: users.registerKey,
    RevokeKey: users.revokeKey,
    ListSubscriptions: subscriptions.listSubscriptions,
    GetSubscription: subscriptions.getSubscription,
    TransferSubscription: subscriptions.transferSubscription,
    UpdateSubscription: subscriptions.updateSubscription,
    DeleteSubscription: subscriptions.deleteSubscription,
    GetSubscriptionSecret: subscriptions.getSubscriptionSecret,
    RotateSubscriptionSecret: subscriptions.rotateSubscriptionSecret,
    SendTestEvent: subscriptions.sendTestEvent,
    ListDeliveries: deliveries.listDeliveries,
    GetDelivery: deliveries.getDelivery,
    GetNotification: deliveries.getNotification,
    RedeliverOne: deliveries.redeliverOne,
    RedeliverRange: deliveries.redeliverRange,
    ListDeadLetters: deliveries.listDeadLetters,
    ListMails: mails.listMails,
    GetMail: mails.getMail,
    ResendMail: mails.resendMail,
    ResendFailedMails: mails.resendFailedMails,
    RemoveMail: mails.removeMail,
    GetBacklog: deliveries.getBacklog,
    ListAudit: listAudit,
  };
}
