import type { AuditRecord, ChainRootRecord } from "../ports/index.ts";
import { count, json, optional, text, time } from "./column.ts";
import { defineTable } from "./table.ts";

type Numbers = "sequence" | "number";

/** An entry as it is written: the store numbers it. */
export type StoredAuditRecord = Omit<AuditRecord, Numbers> & Partial<Pick<AuditRecord, Numbers>>;

/** Append-only: one chain a subject. */
export const auditEntries = defineTable<StoredAuditRecord>({
  name: "audit_entries",
  columns: {
    sequence: optional(count("sequence")),
    number: optional(count("number")),
    institutionId: text("institution_id"),
    subjectType: text("subject_type"),
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
