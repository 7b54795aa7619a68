import type { AuditRecord, AuditSubject, ChainRootRecord } from "../ports/index.ts";
import { count, json, oneOfMore, optional, text, time } from "./column.ts";
import { defineTable } from "./table.ts";

type Numbers = "sequence" | "number";

/** An entry as it is written: the store numbers it. */
export type StoredAuditRecord = Omit<AuditRecord, Numbers> & Partial<Pick<AuditRecord, Numbers>>;

const subjects = [
  "account",
  "transaction",
  "institution",
  "user",
  "credential",
  "key",
  "category",
  "subscription",
  "customer",
  "legal-rep",
  "share-holder",
  "beneficiary",
  "source",
  "registration",
  "portal-login",
  "service-key",
  "mail",
] as const satisfies readonly AuditSubject[];

/** Append-only: one chain a subject. */
export const auditEntries = defineTable<StoredAuditRecord>({
  name: "audit_entries",
  columns: {
    sequence: optional(count("sequence")),
    number: optional(count("number")),
    institutionId: text("institution_id"),
    subjectType: oneOfMore("subject_type", subjects),
    subjectId: text("subject_id"),
    position: count("position"),
    operation: text("operation"),
    changedAt: time("changed_at"),
    userName: optional(text("user_name")),
    keyId: optional(text("key_id")),
    changes: json("changes"),
    contentHash: optional(text("content_hash")),
    hash: text("hash"),
  },
  key: ["institutionId", "subjectType", "subjectId", "position"],
  numbered: [{ field: "sequence" }, { field: "number", within: "institutionId" }],
});

export const chainRoots = defineTable<ChainRootRecord>({
  name: "chain_roots",
  columns: { sequence: count("sequence"), hash: text("hash"), createdAt: time("created_at") },
  key: ["sequence"],
  isClustered: true,
});
