import { cancelAll } from "../../../../runtime/events/index.ts";
import type { Clock, Reads, UserRecord } from "../../../../runtime/store/ports/index.ts";
import type { WriteContext } from "../../../../runtime/service/handler-context.ts";
import { isValidApiKey } from "./api-key.ts";
import { apiKeysOfUser, targetsById, subscriptionsByIds } from "../../../../runtime/store/tables/index.ts";
import { subscriptionIdsOf } from "../../../../runtime/events/model/stored-deliveries.ts";

type Context = Pick<WriteContext, "store" | "clock"> & {
  readonly events: Pick<WriteContext["events"], "wake">;
};

/** Whether a user has an API key that is neither revoked nor expired. */
export async function hasValidCredential(
  { store, clock }: { readonly store: Reads; readonly clock: Pick<Clock, "now"> },
  userName: string,
): Promise<boolean> {
  const apiKeys = await apiKeysOfUser(store, userName);
  return apiKeys.some((apiKey) => isValidApiKey(apiKey, clock.now()));
}

/**
 * Disables the subscriptions of a user whose last credential was revoked, all in one statement: the shorter its
 * transaction is, the fewer others it meets. Nothing that they were to be sent is sent any more (D-48); what is being
 * sent at this moment may still arrive.
 */
export async function endSubscriptions(
  { store, clock, events }: Context,
  { institutionId, userName }: UserRecord,
): Promise<void> {
  const ids = await subscriptionIdsOf(store, institutionId, userName);
  if (ids.length === 0) return;
  const targets = await store.many(targetsById, institutionId, ids);
  const notYet = targets.filter(({ disabledReason }) => disabledReason !== "REVOKED");
  const nowMs = clock.now();
  const changedIds = new Set(notYet.map(({ id }) => id));
  const generation = notYet.reduce((last, target) => Math.max(last, target.generation ?? 0), 0) + 1;
  const revoked = { enabled: false, disabledReason: "REVOKED", disabledAt: nowMs, updatedAt: nowMs } as const;
  if (changedIds.size > 0)
    await store.update(subscriptionsByIds, { ...revoked, generation }, institutionId, [...changedIds]);
  events.wake();
  const subscriptions = targets.map((each) => (changedIds.has(each.id) ? { ...each, generation } : each));
  await cancelAll(store, subscriptions, "REVOKED", nowMs);
}
