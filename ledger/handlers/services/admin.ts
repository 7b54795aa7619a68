import type { Mail, MailKind } from "../../../generated/operator/types.ts";
import { omitUndefined, type Given } from "../../../runtime/contract/index.ts";
import {
  deliveryHandlers,
  mailHandlers,
  subscriptionHandlers,
  userHandlers,
  visibleRecords,
  type DeliveriesAsked,
  type ShownMail,
  type VisibilityRules,
  type Visible,
} from "../../../runtime/operations/admin/index.ts";
import { legalRepById } from "../../tables/index.ts";
import { operatorRealm } from "./users/realms.ts";

/** A legal representative is seen where the customer is. */
const rules: VisibilityRules = {
  operators: operatorRealm,
  groupOfRecipient: async (view, institutionId, id) =>
    (await view.one(legalRepById, institutionId, id))?.customerId,
};

/** What the caller of a context may see of users, subscriptions, deliveries and mails. */
export const visible: Visible = (context) => visibleRecords(context, rules);

/** What operators of any application do, for those of the bank. */
export const admin = {
  ...deliveryHandlers(visible),
  ...mailHandlers(visible),
  ...subscriptionHandlers(visible, operatorRealm),
  ...userHandlers(visible),
};

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
