import { queueMail } from "../../pipeline/outbox.ts";
import type { EndpointMailKind, OwnMailDraft } from "../mail/render-mail.ts";
import { auditedBySystem } from "../../store/audit/index.ts";
import { omitUndefined } from "../../contract/index.ts";
import type {
  EndpointHealthRecord,
  IdSource,
  Sealer,
  Writes,
  SubscriptionRecord,
} from "../../store/ports/index.ts";
import { subscriptions, userByName } from "../../store/tables/index.ts";

/** What a mail to the owner of a subscription needs. */
export interface OwnerMailing {
  readonly ids: IdSource;
  readonly sealer: Sealer;
}

interface Occasion {
  readonly nowMs: number;
  /** Facts of the endpoint, if the mail is to tell of it. */
  readonly health?: EndpointHealthRecord;
}

/** Disables a subscription because of its endpoint, and queues the mail to its owner. */
export async function disableSubscription(
  tx: Writes,
  subscription: SubscriptionRecord,
  disabledReason: "GONE" | "FAILING",
  occasion: Occasion,
  mailing: OwnerMailing,
): Promise<void> {
  const { nowMs } = occasion;
  const { institutionId } = subscription;
  const operation = disabledReason === "GONE" ? "endpoint-gone" : "endpoint-given-up";
  const audited = auditedBySystem(tx, { institutionId, operation, clock: { now: () => nowMs } });
  const disabled = { enabled: false, disabledReason, disabledAt: nowMs, updatedAt: nowMs };
  await audited.replace(subscriptions, { ...subscription, ...disabled }, subscription);
  await mailOwner(tx, subscription, operation, occasion, mailing);
}

/** Queues a mail to the subscription's owner; none if the owner no longer exists. */
export async function mailOwner(
  tx: Writes,
  { id, institutionId, name, userName, callbackUrl }: SubscriptionRecord,
  kind: EndpointMailKind,
  { nowMs, health }: Occasion,
  mailing: OwnerMailing,
): Promise<void> {
  const owner = await tx.one(userByName, userName);
  if (owner === undefined) return;
  const { failingSince, lastFailure } = health ?? {};
  const draft: OwnMailDraft = {
    kind,
    to: owner.email,
    subscriptionName: name,
    subscriptionId: id,
    host: new URL(callbackUrl).host,
    ...omitUndefined({ failingSince, lastFailure }),
  };
  await queueMail(tx, draft, { institutionId, userName }, { ...mailing, clock: { now: () => nowMs } });
}
