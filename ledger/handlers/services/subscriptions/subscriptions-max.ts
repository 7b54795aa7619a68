import type { RpcError, RpcErrorDetail } from "../../../../runtime/contract/index.ts";
import type { WriteContext } from "../../../../runtime/service/handler-context.ts";
import { subscriptionIdsOfUser } from "../../../../runtime/store/tables/index.ts";

type Context = Pick<WriteContext, "policy" | "store"> & {
  error(code: "CONFLICT", detail?: RpcErrorDetail<never>): RpcError;
};

/** Throws CONFLICT where the user may have no further subscription (D-57). */
export async function requireRoomForSubscription(
  { policy, store, error }: Context,
  institutionId: string,
  userName: string,
): Promise<void> {
  const limit = policy.subscriptionsPerUserMax;
  if ((await store.count(subscriptionIdsOfUser, institutionId, userName)) < limit) return;
  throw error("CONFLICT", { reason: "too-many-subscriptions", data: { limit } });
}
