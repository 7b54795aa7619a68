import {
  validateIssueCredentialPayload,
  validateRotateCredentialPayload,
} from "../../generated/operator/validators/payloads.js";
import { userNamePrefix, type NewUser } from "../../runtime/operations/admin/index.ts";

/**
 * Checks an operator as the interface checks users that operators add. No prefix of another institution among
 * `institutionIds`, those of all databases, begins the name.
 */
export function requireFitting(
  { institutionId, userName, email }: NewUser,
  institutionIds: readonly string[],
): void {
  if (!/^\S+$/.test(institutionId))
    throw new Error(`'${institutionId}' identifies no institution: give its routing number, without spaces.`);
  if (!validateRotateCredentialPayload({ userName }))
    throw new Error(
      `'${userName}' is no user name: it has letters, digits, '.', '_', '@' and '-', begins with one of the first two, and is at most 64 characters long.`,
    );
  const prefixes = institutionIds.filter((id) => id !== institutionId).map(userNamePrefix);
  const foreign = prefixes.find((prefix) => userName.startsWith(prefix));
  if (foreign !== undefined)
    throw new Error(
      `User names that begin with '${foreign}' are those of another institution: choose another name.`,
    );
  if (!validateIssueCredentialPayload({ userName: "name", email }))
    throw new Error(`'${email}' is no email address.`);
}
