import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  addUser,
  type NewUser,
  type UserAccess,
  type UserParts,
  userNamePrefix,
} from "../../runtime/operations/admin/index.ts";
import { operatorRealm } from "../handlers/services/realms.ts";
import {
  validateIssueCredentialPayload,
  validateRotateCredentialPayload,
} from "../../generated/operator/validators/payloads.js";

/** One caller of the demo service. */
export interface Identity {
  readonly userName: string;
  readonly apiKey: string;
  readonly keyId: string;
  readonly privateKeyPem: string;
}

/** Everything a client of the demo service needs: `access.json` in the data folder, for its owner only. */
export interface Access extends Identity {
  readonly baseUrl: string;
  readonly operatorUrl: string;
  readonly operator: Identity;
  /** Whether callers have to sign each HTTP message, too (`auth.replay: strict`). */
  readonly messageSignatures?: boolean;
  readonly samples: {
    readonly accountId: string;
    readonly accountNumber: string;
    readonly businessCustomerId: string;
    readonly consumerCustomerId: string;
    readonly legalRepId: string;
    readonly shareHolderId: string;
    readonly beneficiaryId: string;
    readonly referenceId: string;
    readonly sourceId: string;
    readonly source: string;
    readonly accountCategory: string;
  };
}

/** The access file of an earlier start; absent before the demo data was added. Nothing but its addresses and
 * `messageSignatures` is ever changed. */
export function readAccess(dataDir: string): Access | undefined {
  const file = fileIn(dataDir);
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file} is not JSON any more. Remove ${dataDir} to start over with new demo data.`, {
      cause: error,
    });
  }
}

export function writeAccess(dataDir: string, content: Access): void {
  const file = fileIn(dataDir);
  writeFileSync(`${file}.part`, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.part`, file);
}

function fileIn(dataDir: string): string {
  return join(dataDir, "access.json");
}

/** Adds an operator, as `ledger-server operator add` does. @throws Error if the user name is taken */
export function createOperator(parts: UserParts, operator: NewUser): Promise<UserAccess> {
  const by = { realm: operatorRealm, noun: "operator", command: "ledger-server operator" };
  return addUser(parts, operator, by);
}

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
