import type { CreateSubscriptionPayload } from "../../../../generated/ledger/types.ts";
import { omitUndefined, type RpcError, type RpcErrorDetail } from "../../../../runtime/contract/index.ts";
import { checkCallbackAddress } from "../../../../runtime/events/callback-address.ts";
import type { SubscriptionRecord } from "../../../../runtime/store/ports/index.ts";
import type { WriteContext } from "../../../../runtime/service/handler-context.ts";
import { scopedReader } from "../scoped-reader.ts";
import { newWebhookSecret, requireRoomForSubscription } from "../../../../runtime/operations/admin/index.ts";
import { insertSubscription } from "../../../books/subscriptions.ts";

type Addresses = Pick<WriteContext, "policy"> & {
  error(code: "BAD_INPUT", detail?: RpcErrorDetail<"/callbackUrl">): RpcError;
};

type Accounts = Pick<WriteContext, "caller" | "store"> & {
  error(code: "NOT_FOUND_ACCOUNT", detail?: RpcErrorDetail<`/groupId/${number}`>): RpcError;
};

type Context = Pick<WriteContext, "clock" | "ids" | "sealer" | "subscribersRevision"> &
  Addresses &
  Accounts & { error(code: "CONFLICT", detail?: RpcErrorDetail<never>): RpcError };

/** Throws BAD_INPUT for an address that notifications may not be posted to. @see D-44 */
export function requirePublicAddress(context: Addresses, callbackUrl: string): void {
  const address = checkCallbackAddress(callbackUrl, context.policy);
  if (!address.ok) throw context.error("BAD_INPUT", { field: "/callbackUrl", reason: address.fault });
}

/** Throws NOT_FOUND_ACCOUNT for the first number that is not of an account of the caller's. @see D-40 */
export async function requireOwnAccounts(context: Accounts, groupId: readonly string[]): Promise<void> {
  const known = await scopedReader(context).knownNumbers(groupId);
  const unknownAt = groupId.findIndex((number) => !known.has(number));
  if (unknownAt >= 0) throw context.error("NOT_FOUND_ACCOUNT", { field: `/groupId/${unknownAt}` });
}

/** Subscribes the caller's address to events of the caller's accounts. @see section 4.15 · D-40 · D-44 */
export async function newSubscription(
  context: Context,
  payload: CreateSubscriptionPayload,
): Promise<SubscriptionRecord> {
  const { caller, clock, ids, sealer, store, subscribersRevision } = context;
  requirePublicAddress(context, payload.callbackUrl);
  await requireOwnAccounts(context, payload.groupId);
  await requireRoomForSubscription(context, caller.institutionId, caller.userName);
  const subscription: SubscriptionRecord = {
    id: ids.id(),
    institutionId: caller.institutionId,
    userName: caller.userName,
    name: payload.name,
    callbackUrl: payload.callbackUrl,
    events: [...new Set(payload.events)],
    groupId: [...new Set(payload.groupId)],
    ...omitUndefined({ remarks: payload.remarks, revision: subscribersRevision }),
    secretSealed: sealer.seal(newWebhookSecret(ids)),
    enabled: true,
    ordered: false,
    createdAt: clock.now(),
    updatedAt: clock.now(),
  };
  await insertSubscription(store, subscription);
  return subscription;
}
