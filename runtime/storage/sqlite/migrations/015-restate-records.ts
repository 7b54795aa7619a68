import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { auditHash } from "../../../domain/index.ts";
import type { AuditChange, AuditSubject } from "../../../ports/index.ts";
import type { SqliteValue } from "../dialect.ts";

/** How a column's value is recorded: as it is, as a flag, as JSON, as its SHA-256, as the origin of an address. */
type Treatment = "plain" | "flag" | "json" | "digest" | "origin";

interface Restated {
  readonly subjectType: AuditSubject;
  /** Gives the institution, the subject's identifier, then the fields. */
  readonly from: string;
  readonly fields: Readonly<Record<string, readonly [column: string, treatment?: Treatment]>>;
}

const ofUser = (table: string, key: string): string =>
  `users.institution_id, ${table}.${key}, @ FROM ${table} JOIN users USING (user_name)`;
const ofInstitution = (table: string, key = "id"): string => `institution_id, ${key}, @ FROM ${table}`;

/** The records that have audit entries, as of this migration. */
const restated: readonly Restated[] = [
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

/**
 * Records that were added before there were audit entries, or that an earlier migration changed, get an entry that says
 * what they are: from then on verification compares each of them with its entries.
 */
export function restateRecords(database: DatabaseSync): void {
  const append = appender(database);
  for (const { subjectType, from, fields } of restated) {
    const columns = Object.entries(fields);
    const names = columns.map(([, [column]]) => column);
    const sql = `SELECT ${from.replace("@", names.join(", "))}`;
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    for (const row of statement.iterate()) {
      const [institutionId, subjectId, ...values] = valuesOf(row);
      const recorded = columns.map(
        ([field, [, treatment]], index) => [field, textOf(values[index] ?? null, treatment)] as const,
      );
      append({ institutionId: String(institutionId), subjectType, subjectId: String(subjectId) }, recorded);
    }
  }
}

type Subject = Readonly<Record<"institutionId" | "subjectId", string>> & {
  readonly subjectType: AuditSubject;
};

/** Appends an entry to the chain of a subject, if its entries say otherwise. */
function appender(
  database: DatabaseSync,
): (subject: Subject, recorded: readonly (readonly [string, string | undefined])[]) => void {
  const changedAt = Date.now();
  const entries = database.prepare(
    `SELECT position, hash, changes FROM audit_entries
     WHERE institution_id = ? AND subject_type = ? AND subject_id = ? ORDER BY position`,
  );
  const insert = database.prepare(
    `INSERT INTO audit_entries (institution_id, subject_type, subject_id, position, operation, changed_at, changes, hash)
     VALUES (?, ?, ?, ?, 'migration', ?, ?, ?)`,
  );
  return (subject, recorded) => {
    const key = [subject.institutionId, subject.subjectType, subject.subjectId];
    const known = new Map<string, string | undefined>();
    let [last, previousHash] = [0, ""];
    for (const { position, hash, changes } of entries.iterate(...key)) {
      [last, previousHash] = [Number(position), String(hash)];
      const read: readonly AuditChange[] = JSON.parse(String(changes));
      for (const { field, to } of read) known.set(field, to);
    }
    const changes = recorded.flatMap(([field, to]): readonly AuditChange[] => {
      const from = known.get(field);
      if (from === to) return [];
      return [{ field, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
    });
    if (changes.length === 0) return;
    const position = last + 1;
    const entry = { ...subject, operation: "migration", changedAt, changes };
    insert.run(
      ...key,
      position,
      changedAt,
      JSON.stringify(changes),
      auditHash(entry, { position, previousHash }),
    );
  };
}

function textOf(value: SqliteValue, treatment: Treatment = "plain"): string | undefined {
  if (value === null) return undefined;
  const text = String(value);
  switch (treatment) {
    case "plain":
      return text;
    case "flag":
      return String(text === "1");
    case "json":
      return JSON.stringify(JSON.parse(text));
    case "digest":
      return createHash("sha256").update(text).digest("hex");
    case "origin":
      return new URL(text).origin;
  }
}

/** `setReturnArrays` is declared nowhere in the type of a row. */
function valuesOf(row: unknown): readonly SqliteValue[] {
  if (!Array.isArray(row)) throw new Error("node:sqlite gave a row that is no array");
  return row;
}
