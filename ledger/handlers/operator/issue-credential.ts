import type { IssueCredentialHandler } from "../../../generated/operator/handlers.ts";
import { omitUndefined } from "../../../runtime/contract/index.ts";
import { expiryField, newApiKey, userNamePrefix } from "../../../runtime/operations/admin/index.ts";
import { requireApproval } from "../services/approvals.ts";
import { realmOf } from "../services/users/realms.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { userByName, users, apiKeys } from "../../../runtime/store/tables/index.ts";

/**
 * Creates a user of an interface with a first API key. The key is shown once, in this answer. The user's name begins
 * with the institution, so that names which other institutions use are never taken.
 *
 * @see section 5.2 · D-18 · D-19
 */
export const issueCredential: IssueCredentialHandler<Contexts> = async (payload, context) => {
  requireApproval(context, "credentials");
  const { store, caller, clock } = context;
  const realm = realmOf(context, payload.interface);
  const expiresAt = expiryField(context, payload.expiresAt, "/expiresAt");
  const { customerIds = [] } = payload;
  const known = await scopedReader(context).knownCustomers(customerIds);
  const unknownAt = customerIds.findIndex((id) => !known.has(id));
  if (unknownAt >= 0) throw context.error("NOT_FOUND_CUSTOMER", { field: `/customerIds/${unknownAt}` });
  const userName = `${userNamePrefix(caller.institutionId)}${payload.userName}`;
  if ((await store.one(userByName, userName)) !== undefined) {
    throw context.error("CONFLICT", { field: "/userName", reason: "taken" });
  }

  await store.insert(users, {
    userName,
    institutionId: caller.institutionId,
    realm,
    email: payload.email,
    scopes: payload.scopes ?? ["*"],
    // An operator bound to customers cannot issue a credential that sees more than its own.
    ...omitUndefined({ groups: payload.customerIds ?? caller.groups }),
    otpFailures: 0,
    createdAt: clock.now(),
  });
  const apiKey = newApiKey(context, userName, expiresAt);
  await store.insert(apiKeys, apiKey.record);
  context.invalidateCaller(userName);
  return apiKey.issued;
};
