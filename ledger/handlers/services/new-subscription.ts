import type { CreateSubscriptionPayload } from "../../../generated/ledger/types.ts";
import type { RpcError, RpcErrorDetail } from "../../../runtime/contract/index.ts";
import type { SubscriptionRecord } from "../../../runtime/store/ports/index.ts";
import type { WriteContext } from "../../../runtime/pipeline/index.ts";
import { scopedReader } from "./scoped-reader.ts";
import { subscribe } from "../../../runtime/operations/admin/index.ts";
import { customersOfNumbers } from "../../books/subscriptions.ts";

type Accounts = Pick<WriteContext, "caller" | "store"> & {
  error(code: "NOT_FOUND_ACCOUNT", detail?: RpcErrorDetail<`/groupId/${number}`>): RpcError;
};

type Context = Pick<WriteContext, "clock" | "ids" | "policy" | "sealer" | "subscribersRevision"> &
  Accounts & {
    error(code: "BAD_INPUT", detail?: RpcErrorDetail<"/callbackUrl">): RpcError;
    error(code: "CONFLICT", detail?: RpcErrorDetail<never>): RpcError;
  };

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
  const { groupId } = payload;
  return subscribe(context, { ...payload, topics: groupId }, async () => {
    await requireOwnAccounts(context, groupId);
    return customersOfNumbers(context.store, context.caller.institutionId, groupId);
  });
}
