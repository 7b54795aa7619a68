import type { InviteUserPayload } from "../../../../generated/operator/types.ts";
import type { RpcError, RpcErrorDetail } from "../../../../runtime/contract/index.ts";
import { newUser as newUserOfGroups } from "../../../../runtime/operations/admin/index.ts";
import type { WriteContext } from "../../../../runtime/pipeline/index.ts";
import { scopedReader } from "../scoped-reader.ts";

type Context = Pick<WriteContext, "caller" | "clock" | "store"> & {
  error(code: "NOT_FOUND_CUSTOMER", detail: RpcErrorDetail<`/customerIds/${number}`>): RpcError;
  error(code: "CONFLICT", detail: RpcErrorDetail<"/userName">): RpcError;
};

type Asked = Pick<InviteUserPayload, "userName" | "email" | "scopes" | "customerIds">;

/** Adds a user of the operator's institution, without a key, and gives its whole name. */
export async function newUser(
  context: Context,
  { customerIds, ...asked }: Asked,
  realm: string,
): Promise<string> {
  const { userName, email, scopes } = asked;
  const known = await scopedReader(context).knownCustomers(customerIds ?? []);
  const unknownAt = customerIds?.findIndex((id) => !known.has(id)) ?? -1;
  if (unknownAt >= 0) throw context.error("NOT_FOUND_CUSTOMER", { field: `/customerIds/${unknownAt}` });
  return newUserOfGroups(context, { userName, email, scopes, groups: customerIds }, realm);
}
