import type { AuditDraft } from "../records/audit.ts";

export interface AuditQuery {
  readonly institutionId: string;
  /** Absent: everything of the institution. */
  readonly subject?: { readonly type: string; readonly id: string };
  /** Only entries with a smaller number: those after the page before. */
  readonly before?: number;
  /** Only entries with a greater number, and then the oldest first. */
  readonly after?: number;
  readonly limit: number;
}

/** The handler's part of an audit entry; the rest is known from the call. */
export type AuditedChange = Pick<
  AuditDraft,
  "subjectType" | "subjectId" | "changes" | "contentHash" | "isFirst"
>;

/** Writes audit entries, in the transaction of the change. */
export interface AuditTrail {
  record(change: AuditedChange): Promise<void>;
}
