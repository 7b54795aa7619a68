import { cancelAll } from "../../../delivery/index.ts";
import type { Clock, StoreView, UserRecord, WriteContext } from "../../../ports/index.ts";
import { isValidApiKey } from "./api-key.ts";

type Context = Pick<WriteContext, "store" | "clock"> & {
  readonly events: Pick<WriteContext["events"], "wake">;
};

/** Whether a user has an API key that is neither revoked nor expired. */
export async function hasValidCredential(
  { store, clock }: { readonly store: Pick<StoreView, "apiKeys">; readonly clock: Pick<Clock, "now"> },
  userName: string,
): Promise<boolean> {
  const apiKeys = await store.apiKeys.ofUser(userName);
  return apiKeys.some((apiKey) => isValidApiKey(apiKey, clock.now()));
}

/**
 * Disables the subscriptions of a user whose last credential was revoked. Nothing that they were to be sent is sent any
 * more (D-48); what is being sent at this moment may still arrive.
 */
export async function endSubscriptions(context: Context, user: UserRecord): Promise<void> {
  const { store, clock, events } = context;
  const subscriptions = await store.subscriptions.ofUser(user.institutionId, user.userName);
  for (const subscription of subscriptions) {
    if (subscription.disabledReason !== "REVOKED") {
      await store.subscriptions.replace({
        ...subscription,
        enabled: false,
        disabledReason: "REVOKED",
        disabledAt: clock.now(),
        updatedAt: clock.now(),
      });
    }
    events.wake();
  }
  await cancelAll(store, subscriptions, "REVOKED", clock.now());
}
