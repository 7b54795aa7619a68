import type { ListSubscriptionsHandler } from "../../../generated/ledger/handlers.ts";
import { subscriptionSummary } from "../presenters/subscription-summary.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { subscriptionsOfUser } from "../../../runtime/store/tables/index.ts";

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

  const own = await store.many(subscriptionsOfUser, caller.institutionId, caller.userName);
  const found = own.filter(({ groupId }) => groupId.includes(payload.groupId));
  return { subscriptions: found.map(subscriptionSummary) };
};
