import type { IssueCredentialHandler } from "../../../generated/operator/handlers.ts";
import { expiryField, newApiKey, realmOf } from "../../../runtime/operations/admin/index.ts";
import { requireApproval } from "../services/approvals.ts";
import { newUser } from "../services/users.ts";
import type { Contexts } from "./contexts.ts";
import { apiKeys } from "../../../runtime/store/tables/index.ts";

/**
 * Creates a user of an interface with a first API key. The key is shown once, in this answer. The user's name begins
 * with the institution, so that names which other institutions use are never taken.
 *
 * @see section 5.2 · D-18 · D-19
 */
export const issueCredential: IssueCredentialHandler<Contexts> = async (payload, context) => {
  requireApproval(context, "credentials");
  const { store } = context;
  const realm = realmOf(context, payload.interface);
  const expiresAt = expiryField(context, payload.expiresAt, "/expiresAt");
  const userName = await newUser(context, payload, realm);
  const apiKey = newApiKey(context, userName, expiresAt);
  await store.insert(apiKeys, apiKey.record);
  context.invalidateCaller(userName);
  return apiKey.issued;
};
