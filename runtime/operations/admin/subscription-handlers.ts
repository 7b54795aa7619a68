import type { ReadContext, WriteContext } from "../../pipeline/handler-context.ts";
import type { Reads, SubscriptionRecord, UserRecord } from "../../store/ports/index.ts";
import { listStart, subscriptions, subscriptionsAfter } from "../../store/tables/index.ts";
import { pageOf, pageToken, placeOf, standardPageSize, type Failing, type PageErrors } from "./pages.ts";
import {
  auditSubscription,
  changeSubscription,
  endSubscription,
  requirePublicAddress,
  requireRoomForSubscription,
  rotateSecret,
  sendTest,
  shownPage,
  subscriptionSecretOf,
  type Waits,
} from "./subscriptions.ts";
import { hasValidCredential } from "./users.ts";
import type { Visible } from "./visible.ts";

/** What differs between applications. */
export interface SubscriptionRules<Shown> {
  readonly visible: Visible;
  /** The interface under which test events are announced. */
  readonly source: string;
  /** A subscription as the interface shows it. */
  shown(subscription: SubscriptionRecord, context: Pick<ReadContext, "store" | "clock">): Promise<Shown>;
  /** Whether a user may be given a subscription at all. */
  takes(user: UserRecord): boolean;
  /** The reason why a user must not be given one of these topics; undefined if the user may have them all. */
  refusalOf(store: Reads, user: UserRecord, topics: readonly string[]): Promise<string | undefined>;
}

export interface OneSubscription {
  readonly subscriptionId: string;
}

export interface SubscriptionChange extends OneSubscription {
  readonly enabled?: boolean;
  readonly resume?: boolean;
  readonly ordered?: boolean;
  readonly callbackUrl?: string;
}

type MissesSubscription = Failing<"NOT_FOUND_SUBSCRIPTION", "/subscriptionId">;

/** Subscriptions, as far as the caller sees them. */
// oxlint-disable-next-line max-lines-per-function -- a table of handlers that find by the same rules
export const subscriptionHandlers = <Shown extends { readonly statistics: Waits }>(
  rules: SubscriptionRules<Shown>,
) => {
  const { visible, source, shown } = rules;
  async function found(
    { subscriptionId }: OneSubscription,
    context: ReadContext & MissesSubscription,
  ): Promise<SubscriptionRecord> {
    const stored = await visible(context).subscription(subscriptionId);
    if (stored === undefined) throw context.error("NOT_FOUND_SUBSCRIPTION", { field: "/subscriptionId" });
    return stored;
  }

  return {
    /** A page of the institution's subscriptions with their statistics, the oldest first. */
    async listSubscriptions(
      { pageSize = standardPageSize, after }: { readonly pageSize?: number; readonly after?: string },
      context: ReadContext & PageErrors,
    ) {
      const { store, caller } = context;
      const { createdAt, id } = placeOf(context, after) ?? listStart;
      const place = [caller.institutionId, createdAt, id] as const;
      const page = pageOf(await store.many(subscriptionsAfter, ...place, pageSize + 1), pageSize, pageToken);
      const seen = await visible(context).subscriptionsOf(page.items);
      return shownPage(seen, page.next, (each) => shown(each, context));
    },

    async getSubscription(asked: OneSubscription, context: ReadContext & MissesSubscription) {
      return { subscription: await shown(await found(asked, context), context) };
    },

    /** Hands a subscription to another user. Whether it is enabled, and its secret, stay as they are. */
    async transferSubscription(
      asked: OneSubscription & { readonly userName: string },
      context: WriteContext & MissesSubscription & Failing<"NOT_FOUND_CREDENTIAL" | "CONFLICT", "/userName">,
    ) {
      const { store, clock } = context;
      const stored = await found(asked, context);
      const user = await visible(context).user(asked.userName);
      if (user === undefined || !rules.takes(user))
        throw context.error("NOT_FOUND_CREDENTIAL", { field: "/userName" });
      const reason = (await hasValidCredential(context, user.userName))
        ? await rules.refusalOf(store, user, stored.groupId)
        : "credential-revoked";
      if (reason !== undefined) throw context.error("CONFLICT", { field: "/userName", reason });
      if (stored.userName !== user.userName)
        await requireRoomForSubscription(context, user.institutionId, user.userName);
      const subscription = { ...stored, userName: user.userName, updatedAt: clock.now() };
      await store.replace(subscriptions, subscription, stored);
      return { subscription: await shown(subscription, context) };
    },

    /** Enables or disables a subscription, changes the order of its events, or gives it another address. */
    async updateSubscription(
      asked: SubscriptionChange,
      context: WriteContext &
        MissesSubscription &
        Failing<"BAD_INPUT" | "CONFLICT", "/callbackUrl" | "/enabled">,
    ) {
      if (asked.callbackUrl !== undefined) requirePublicAddress(context, asked.callbackUrl);
      const stored = await found(asked, context);
      if (asked.enabled === true && !(await hasValidCredential(context, stored.userName)))
        throw context.error("CONFLICT", { field: "/enabled", reason: "credential-revoked" });
      const subscription = changedByOperator(stored, asked, context.clock.now());
      const missed = await changeSubscription(context, stored, subscription, asked.resume === true);
      return { subscription: await shown(subscription, context), ...missed };
    },

    /** The secret with which its notifications are signed. The audit log says who read it. */
    async getSubscriptionSecret(asked: OneSubscription, context: WriteContext & MissesSubscription) {
      const stored = await found(asked, context);
      await auditSubscription(context, stored.id, { secretRead: undefined });
      return subscriptionSecretOf(stored, context.sealer, context.clock.now());
    },

    /** A new secret. The former one signs beside it for the overlap; a third one before it ends at once. */
    async rotateSubscriptionSecret(
      asked: OneSubscription & { readonly overlapSeconds?: number },
      context: WriteContext & MissesSubscription,
    ) {
      const rotated = await rotateSecret(context, await found(asked, context), asked.overlapSeconds);
      return subscriptionSecretOf(rotated, context.sealer, context.clock.now());
    },

    /** Sends a notification that announces nothing, once and whether the subscription is enabled or not. */
    async sendTestEvent(
      asked: OneSubscription,
      context: WriteContext & MissesSubscription & Failing<"CONFLICT", "/subscriptionId">,
    ) {
      return sendTest(context, await found(asked, context), source);
    },

    /** Deletes a subscription and its secret. What has not arrived is cancelled; the log of its deliveries stays. */
    async deleteSubscription(asked: OneSubscription, context: WriteContext & MissesSubscription) {
      return endSubscription(context, await found(asked, context));
    },
  };
};

function changedByOperator(
  stored: SubscriptionRecord,
  {
    enabled = stored.enabled,
    ordered = stored.ordered,
    callbackUrl = stored.callbackUrl,
  }: SubscriptionChange,
  nowMs: number,
): SubscriptionRecord {
  const { disabledReason = "OPERATOR", disabledAt = nowMs, ...rest } = stored;
  const disabled = { disabledReason, disabledAt };
  return { ...rest, enabled, ordered, callbackUrl, ...(enabled ? {} : disabled), updatedAt: nowMs };
}
