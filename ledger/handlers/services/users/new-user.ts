import type { InviteUserPayload } from "../../../../generated/operator/types.ts";
import { omitUndefined, type RpcError, type RpcErrorDetail } from "../../../../runtime/contract/index.ts";
import { userNamePrefix } from "../../../../runtime/operations/admin/index.ts";
import type { WriteContext } from "../../../../runtime/service/handler-context.ts";
import { userByName, users } from "../../../../runtime/store/tables/index.ts";
import { scopedReader } from "../scoped-reader.ts";

type Context = Pick<WriteContext, "caller" | "clock" | "store"> & {
  error(code: "NOT_FOUND_CUSTOMER", detail: RpcErrorDetail<`/customerIds/${number}`>): RpcError;
  error(code: "CONFLICT", detail: RpcErrorDetail<"/userName">): RpcError;
};

type Asked = Pick<InviteUserPayload, "userName" | "email" | "scopes" | "customerIds">;

/** Adds a user of the operator's institution, without a key, and gives its whole name. */
export async function newUser(
  { caller, clock, store, ...context }: Context,
  asked: Asked,
  realm: string,
): Promise<string> {
  const { customerIds = [] } = asked;
  const known = await scopedReader({ store, caller }).knownCustomers(customerIds);
  const unknownAt = customerIds.findIndex((id) => !known.has(id));
  if (unknownAt >= 0) throw context.error("NOT_FOUND_CUSTOMER", { field: `/customerIds/${unknownAt}` });
  const userName = `${userNamePrefix(caller.institutionId)}${asked.userName}`;
  if ((await store.one(userByName, userName)) !== undefined) {
    throw context.error("CONFLICT", { field: "/userName", reason: "taken" });
  }
  await store.insert(users, {
    userName,
    institutionId: caller.institutionId,
    realm,
    email: asked.email,
    scopes: asked.scopes ?? ["*"],
    // An operator bound to customers adds no user that sees more than its own.
    ...omitUndefined({ groups: asked.customerIds ?? caller.groups }),
    otpFailures: 0,
    createdAt: clock.now(),
  });
  return userName;
}
