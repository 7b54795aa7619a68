import { createHash } from "node:crypto";
import { omitUndefined } from "../../contract/index.ts";
import type { AuditChange, AuditSubject } from "../../ports/index.ts";

/** How a column's value is recorded: as it is, as a flag, as JSON, as its SHA-256, as the origin of an address. */
type Treatment = "plain" | "flag" | "json" | "digest" | "origin";

export interface Restated {
  readonly subjectType: AuditSubject;
  /** Gives the institution, the subject's identifier, then the fields. */
  readonly from: string;
  readonly fields: Readonly<Record<string, readonly [column: string, treatment?: Treatment]>>;
}

const ofUser = (table: string, key: string): string =>
  `users.institution_id, ${table}.${key}, @ FROM ${table} JOIN users USING (user_name)`;
const ofInstitution = (table: string, key = "id"): string => `institution_id, ${key}, @ FROM ${table}`;

/** The records that have audit entries, as of the migration that restates them. */
export const restated: readonly Restated[] = [
  { subjectType: "institution", from: "id, id, @ FROM institutions", fields: { name: ["name"] } },
  {
    subjectType: "user",
    from: ofInstitution("users", "user_name"),
    fields: {
      realm: ["realm"],
      scopes: ["scopes", "json"],
      customerIds: ["customer_ids", "json"],
      otpFailures: ["otp_failures"],
      otpLockedUntil: ["otp_locked_until"],
    },
  },
  {
    subjectType: "credential",
    from: ofUser("api_keys", "id"),
    fields: {
      userName: ["user_name"],
      hash: ["hash", "digest"],
      expiresAt: ["expires_at"],
      revokedAt: ["revoked_at"],
    },
  },
  {
    subjectType: "key",
    from: ofUser("device_keys", "key_id"),
    fields: {
      userName: ["user_name"],
      publicKeyPem: ["public_key_pem", "digest"],
      status: ["status"],
      revokedAt: ["revoked_at"],
    },
  },
  {
    subjectType: "registration",
    from: ofUser("registrations", "otp_token"),
    fields: {
      userName: ["user_name"],
      failures: ["failures"],
      expiresAt: ["expires_at"],
      usedAt: ["used_at"],
    },
  },
  {
    subjectType: "portal-login",
    from: ofInstitution("portal_logins", "legal_rep_id"),
    fields: {
      userName: ["user_name"],
      passwordHash: ["password_hash", "digest"],
      createdAt: ["created_at"],
    },
  },
  {
    subjectType: "customer",
    from: ofInstitution("customers"),
    fields: { type: ["type"], status: ["status"] },
  },
  {
    subjectType: "legal-rep",
    from: ofInstitution("legal_reps"),
    fields: { customerId: ["customer_id"], status: ["status"] },
  },
  {
    subjectType: "share-holder",
    from: ofInstitution("share_holders"),
    fields: { customerId: ["customer_id"], status: ["status"] },
  },
  {
    subjectType: "beneficiary",
    from: ofInstitution("beneficiaries"),
    fields: { accountId: ["account_id"], legalRepId: ["legal_rep_id"], status: ["status"] },
  },
  {
    subjectType: "category",
    from: ofInstitution("categories"),
    fields: { name: ["name"], description: ["description"] },
  },
  {
    subjectType: "source",
    from: ofInstitution("sources"),
    fields: { source: ["source"], events: ["events", "json"], keyIds: ["key_ids", "json"] },
  },
  {
    subjectType: "subscription",
    from: ofInstitution("subscriptions"),
    fields: {
      userName: ["user_name"],
      callbackUrl: ["callback_url", "origin"],
      events: ["events", "json"],
      groupId: ["group_id", "json"],
      formerSecretUntil: ["former_secret_until"],
      enabled: ["enabled", "flag"],
      disabledReason: ["disabled_reason"],
      disabledAt: ["disabled_at"],
      ordered: ["ordered", "flag"],
      revision: ["revision"],
    },
  },
];

/** The SQL that gives a kind's records. */
export function restatedSql({ from, fields }: Restated): string {
  const columns = Object.values(fields).map(([column]) => column);
  return `SELECT ${from.replace("@", columns.join(", "))}`;
}

/** The changes by which an entry completes what a record's entries say of it; `values` are those of the fields. Empty where they say it. */
export function restatement(
  { fields }: Restated,
  values: readonly (string | null)[],
  entries: readonly string[],
): readonly AuditChange[] {
  const known = new Map<string, string | undefined>();
  for (const changes of entries) {
    const read: readonly AuditChange[] = JSON.parse(changes);
    for (const { field, to } of read) known.set(field, to);
  }
  return Object.entries(fields).flatMap(([field, [, treatment]], index): readonly AuditChange[] => {
    const to = textOf(values[index] ?? null, treatment);
    const from = known.get(field);
    if (from === to) return [];
    return [omitUndefined({ field, from, to })];
  });
}

function textOf(text: string | null, treatment: Treatment = "plain"): string | undefined {
  if (text === null) return undefined;
  switch (treatment) {
    case "plain":
      return text;
    case "flag":
      return String(text === "1" || text === "t");
    case "json":
      return JSON.stringify(JSON.parse(text));
    case "digest":
      return createHash("sha256").update(text).digest("hex");
    case "origin":
      return new URL(text).origin;
  }
}
