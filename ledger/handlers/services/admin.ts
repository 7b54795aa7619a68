import type {
  EventName,
  Mail,
  MailKind,
  Subscription,
  UserSummary,
} from "../../../generated/operator/types.ts";
import { omitUndefined, type Given } from "../../../runtime/contract/index.ts";
import {
  deliveryHandlers,
  mailHandlers,
  seesGroup,
  subscriptionHandlers,
  userHandlers,
  subscriptionOf as shownSubscription,
  userSummary as shownUser,
  type DeliveriesAsked,
  type ShownMail,
} from "../../../runtime/operations/admin/index.ts";
import type { ReadContext } from "../../../runtime/pipeline/index.ts";
import type { SubscriptionRecord, UserRecord } from "../../../runtime/store/ports/index.ts";
import { accountsByNumbers } from "../../tables/index.ts";
import { visible } from "./scoped-reader.ts";
import { documentedRealm, operatorRealm } from "./realms.ts";

/** What operators of any application do, for those of the bank. */
export const admin = {
  ...deliveryHandlers(visible),
  ...mailHandlers(visible),
  ...subscriptionHandlers({
    visible,
    source: operatorRealm,
    shown: subscriptionOf,
    takes: ({ realm }) => realm === documentedRealm,
    async refusalOf(store, user, numbers) {
      const found = await store.many(accountsByNumbers, user.institutionId, numbers);
      const seen = new Set(found.flatMap((each) => (seesGroup(user, each.customerId) ? each.number : [])));
      return numbers.some((number) => !seen.has(number)) ? "account-not-seen" : undefined;
    },
  }),
  ...userHandlers(visible, userSummary),
};

const eventNames: readonly EventName[] = [
  "Transaction.NEW",
  "Transaction.UPDATE",
  "Account.UPDATE",
  "Account.NEW",
];

/** A subscription as operators and partners see it, with the events that the interface declares. */
export async function subscriptionOf(
  subscription: SubscriptionRecord,
  context: Pick<ReadContext, "store" | "clock">,
): Promise<Subscription> {
  const shown = await shownSubscription(subscription, context);
  return { ...shown, events: eventNames.filter((name) => shown.events.includes(name)) };
}

/** A user as the bank's operator sees it: its groups are customers. */
export function userSummary(user: UserRecord): UserSummary {
  const { groups, createdDate, ...shown } = shownUser(user);
  const { email } = user;
  return {
    ...shown,
    email,
    ...omitUndefined({ customerIds: groups } satisfies Given<UserSummary>),
    createdDate,
  };
}

/** A page of deliveries: their topics are account numbers. */
export function listDeliveries(
  { accountNumber, ...asked }: Omit<DeliveriesAsked, "topic"> & { readonly accountNumber?: string },
  context: Parameters<typeof admin.listDeliveries>[1],
) {
  return admin.listDeliveries({ ...asked, ...omitUndefined({ topic: accountNumber }) }, context);
}

/** A mail as the bank's operator sees it: in the words of the interface. */
export function mailOf({ kind, recipientId, ...mail }: ShownMail): Mail {
  return {
    ...mail,
    kind: isMailKind(kind) ? kind : "unknown",
    ...omitUndefined({ legalRepId: recipientId } satisfies Given<Mail>),
  };
}

const mailKinds: Readonly<Record<MailKind, true>> = {
  "one-time-password": true,
  "portal-login": true,
  "endpoint-failing": true,
  "endpoint-given-up": true,
  "endpoint-gone": true,
  "events-waiting": true,
  unknown: true,
};

function isMailKind(kind: string): kind is MailKind {
  return Object.hasOwn(mailKinds, kind);
}
