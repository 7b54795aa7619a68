import type { Mail, MailKind } from "../../../generated/operator/types.ts";
import { omitUndefined, type Given } from "../../../runtime/contract/index.ts";
import {
  deliveryHandlers,
  mailHandlers,
  subscriptionHandlers,
  userHandlers,
  type DeliveriesAsked,
  type ShownMail,
} from "../../../runtime/operations/admin/index.ts";
import { visible } from "./scoped-reader.ts";
import { operatorRealm } from "./users/realms.ts";

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
