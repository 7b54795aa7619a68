/** A field that changed, and its values before and after as text. Never personal data, never a secret. */
export interface AuditChange {
  readonly field: string;
  readonly from?: string;
  readonly to?: string;
}

/** Who changed what: appended with the change, never changed, linked to the entry before of the same subject. */
export interface AuditRecord {
  /** Numbers the entries of a store in the order of entry, from 1 without gaps. Roots are made in this order. */
  readonly sequence: number;
  /** Numbers the entries of the institution in the same order, from 1 without gaps: all that its operators see. */
  readonly number: number;
  readonly institutionId: string;
  /** As the rule of a table names its records, or an application those that it audits itself. */
  readonly subjectType: string;
  readonly subjectId: string;
  /** In the chain of its subject, from 1. */
  readonly position: number;
  /** The method that was called, or the command that was run. */
  readonly operation: string;
  readonly changedAt: number;
  /** Who called; absent: the service itself. */
  readonly userName?: string;
  /** The key that signed. */
  readonly keyId?: string;
  readonly changes: readonly AuditChange[];
  /** SHA-256 of the subject's record after the change, lower-case hex; where the application gives it. */
  readonly contentHash?: string;
  /** SHA-256 of this link of the chain, lower-case hex. */
  readonly hash: string;
}

/** An entry before it is linked. */
export type AuditDraft = Omit<AuditRecord, "sequence" | "number" | "position" | "hash"> & {
  /** Whether the subject was created in this transaction: its chain then begins here, and none is looked for. */
  readonly isFirst?: boolean;
};

/** The root over the first `sequence` audit entries, as it was computed at a time. */
export interface ChainRootRecord {
  readonly sequence: number;
  /** Lower-case hex. */
  readonly hash: string;
  readonly createdAt: number;
}
