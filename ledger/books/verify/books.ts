import type { AccountContent, TransactionContent } from "../../domain/content-hashes.ts";
import type { ChainHead, AuditBook } from "../../../runtime/store/common/index.ts";
import type { ChainedPostingRecord } from "../../domain/records/accounts.ts";

/** The bank's books as verification reads them: streams, each in the stated order, by code points, of one state. */
export interface BankBooks {
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
  /** Whose account it is. */
  customerOf(institutionId: string, accountId: string): string | undefined;
}

/** The bank's books with the audit entries of one type of subject, by subject, then position. */
export interface AuditedBooks extends BankBooks {
  audit(institutionId: string, subjectType: string): Iterable<AuditBook>;
}

/** An account with what money moves and the head of its chain of postings. */
export interface AccountBook extends AccountContent {
  readonly ledgerMinor: bigint;
  readonly holdMinor: bigint;
  /** Whether it is marked as the institution's own (D-55). */
  readonly institutionOwned?: boolean;
  readonly head: ChainHead;
}
