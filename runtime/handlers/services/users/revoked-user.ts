import { cancelAll } from "../../../delivery/index.ts";
import type { UserRecord, WriteContext } from "../../../ports/index.ts";
import { isValidApiKey } from "./api-key.ts";

type Context = Pick<WriteContext, "store" | "clock" | "events">;

/** Whether a user has an API key that is neither revoked nor expired. */
export async function hasValidCredential(
  { store, clock }: Pick<WriteContext, "store" | "clock">,
  userName: string,
): Promise<boolean> {
  const apiKeys = await store.apiKeys.ofUser(userName);
  return apiKeys.some((apiKey) => isValidApiKey(apiKey, clock.now()));
}

/**
 * Disables the subscriptions of a user whose last credential was revoked, and cancels what they were to be sent (D-48).
 * What is being sent at this moment may still arrive.
 */
export async function endSubscriptions(context: Context, user: UserRecord): Promise<void> {
  const { store, clock, events } = context;
  for (const subscription of await store.subscriptions.ofUser(user.institutionId, user.userName)) {
    if (subscription.disabledReason !== "REVOKED") {
      await store.subscriptions.replace({
        ...subscription,
        enabled: false,
        disabledReason: "REVOKED",
        disabledAt: clock.now(),
        updatedAt: clock.now(),
      });
    }
    await cancelAll(store, subscription.id, "REVOKED");
    events.cancelled(subscription.id);
  }
}
