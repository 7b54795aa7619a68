import type { ListSubscriptionsHandler } from "../../../generated/ledger/handlers.ts";
import type { SubscriptionRecord } from "../../ports/index.ts";
import { subscriptionSummary } from "../presenters/subscription-summary.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Lists the caller's subscriptions that hold an account, oldest first.
 *
 * @see section 4.15.1 · D-22
 * @since 1.0.12
 */
export const listSubscriptions: ListSubscriptionsHandler<Contexts> = async (payload, context) => {
  const { store, caller } = context;
  const account = await scopedReader(context).accountByNumber(payload.groupId);
  if (account === undefined) throw context.error("NOT_FOUND_ACCOUNT", { field: "/groupId" });

  const found: SubscriptionRecord[] = [];
  for (const { subscriptionId } of await store.subscriptionAccounts.ofNumbers(caller.institutionId, [
    payload.groupId,
  ])) {
    const subscription = await scopedReader(context).subscription(subscriptionId);
    if (subscription?.userName === caller.userName) found.push(subscription);
  }
  found.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  return { subscriptions: found.map(subscriptionSummary) };
};
