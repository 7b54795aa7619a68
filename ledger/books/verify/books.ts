import type { AccountContent, TransactionContent } from "../../domain/content-hashes.ts";
import type { ChainHead } from "../../../runtime/domain/index.ts";
import type { ChainedPostingRecord } from "../../domain/records/accounts.ts";
import type { ChainRootRecord } from "../../../runtime/ports/index.ts";
import type { ColumnValue } from "../../../runtime/storage/tables/index.ts";
import type { SealedPlace } from "../../../runtime/storage/common/sealed-places.ts";
import type { AuditedRows } from "../../../runtime/storage/common/verify/audited-rows.ts";

/**
 * The books as verification reads them: streams, each in the stated order, by code points, of one state. Values are as they
 * are kept, however damaged.
 */
export interface Books {
  /** Every institution that anything belongs to. */
  institutions(): readonly string[];
  count(table: "accounts" | "transactions"): number;
  /** By identifier. */
  accounts(institutionId: string): Iterable<AccountBook>;
  /** By account, then position. */
  postings(institutionId: string): Iterable<ChainedPostingRecord>;
  /** PENDING transactions by debtor. */
  pending(institutionId: string): Iterable<TransactionContent>;
  /** By identifier. */
  transactions(institutionId: string): Iterable<TransactionContent>;
  /** By transaction, then identifier. */
  postingsByTransaction(institutionId: string): Iterable<Omit<ChainedPostingRecord, "hash">>;
  /** Of one type, or of all types but these; by type, subject, then position. */
  audit(institutionId: string, subjects: AuditSubjects): Iterable<AuditBook>;
  /** Of a table whose records have audit entries, in column order, by what entries name them by. Sealed columns hold `null`. */
  records(institutionId: string, rows: AuditedRows): Iterable<readonly ColumnValue[]>;
  /** Identifier of the key that seals now, if there is one. */
  sealKeyId(): string | undefined;
  /** The texts of a place that is sealed, with the keys of their rows. */
  sealedTexts(place: SealedPlace): Iterable<readonly [record: string, text: string]>;
  /** All that have a sequence, by it. */
  auditInOrder(): Iterable<NumberedBook>;
  /** By sequence. */
  roots(): readonly ChainRootRecord[];
  /** Whose account it is. */
  customerOf(institutionId: string, accountId: string): string | undefined;
}

export type AuditSubjects = "account" | "transaction" | "other";

/** An account with what money moves and the head of its chain of postings. */
export interface AccountBook extends AccountContent {
  readonly ledgerMinor: bigint;
  readonly holdMinor: bigint;
  /** Whether it is marked as the institution's own (D-55). */
  readonly institutionOwned?: boolean;
  readonly head: ChainHead;
}

/** The numbers of an audit entry: among all, and among those of its institution. */
export interface NumberedBook extends Pick<AuditBook, "sequence" | "institutionId" | "hash"> {
  readonly number?: number;
}

/** An audit entry as it is kept. */
export interface AuditBook {
  readonly sequence: number;
  readonly institutionId: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly position: number;
  readonly operation: string;
  readonly changedAt: number;
  readonly userName?: string;
  readonly keyId?: string;
  /** JSON. */
  readonly changes: string;
  readonly contentHash?: string;
  readonly hash: string;
}
