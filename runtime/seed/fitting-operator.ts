import { validateIssueCredentialPayload } from "../../generated/operator/validators/payloads.js";
import type { NewOperator } from "./operator.ts";

/** Asks of an operator what the interface asks of users that operators add. @throws Error for the first text that does not fit */
export function requireFitting({ institutionId, userName, email }: NewOperator): void {
  if (!/^\S+$/.test(institutionId))
    throw new Error(`'${institutionId}' identifies no institution: give its routing number, without spaces.`);
  if (!validateIssueCredentialPayload({ userName, email: "name@bank.example" }))
    throw new Error(
      `'${userName}' is no user name: it has letters, digits, '.', '_', '@' and '-', begins with one of the first two, and is at most 64 characters long.`,
    );
  if (!validateIssueCredentialPayload({ userName, email }))
    throw new Error(`'${email}' is no email address.`);
}
