import type { AddressRecord } from "./parties.ts";

export type AccountStatus =
  | "CREATED"
  | "ACTIVE"
  | "CURTAILED"
  | "DORMANT"
  | "SUSPENDED"
  | "BLOCKED"
  | "CLOSED"
  | "DISABLED";

export type AccountType =
  | "SAVINGS"
  | "CHECKING"
  | "WALLET"
  | "MONEY_MARKET"
  | "CREDIT_CARD"
  | "GL"
  | "CUSTODIAL";

/** A globally defined account category or product. */
export interface CategoryRecord {
  readonly id: string;
  readonly institutionId: string;
  readonly name: string;
  readonly description?: string;
  readonly createdAt: number;
}

export interface AccountRecord {
  readonly id: string;
  readonly institutionId: string;
  readonly customerId: string;
  readonly name: string;
  /** Unique within the institution. */
  readonly number: string;
  readonly nickName: string;
  readonly type: AccountType;
  readonly status: AccountStatus;
  readonly category: string;
  /** ISO 4217 alphabetic code. */
  readonly currency: string;
  /** Sum of the account's postings: kept beside them, re-derived by `verify`. Credits are positive. */
  readonly ledgerMinor: bigint;
  readonly holdMinor: bigint;
  readonly preAuthMinor: bigint;
  readonly minimumMinor: bigint;
  readonly subLedgerCode: string;
  readonly tags: readonly string[];
  readonly final: boolean;
  /** The institution's own, such as clearing: its status changes through the operator interface only (D-55). */
  readonly institutionOwned?: boolean;
  /** The pool account under which this one was opened. */
  readonly parentId?: string;
  readonly legalRepIds: readonly string[];
  readonly glAccount: string;
  readonly demandDeposit: boolean;
  readonly address: AddressRecord;
  readonly verified: boolean;
  readonly minimumRouteApprovers: number;
  readonly newRouteAlert: boolean;
  readonly ceTransactionNumber: string;
  readonly accountLevel: string;
  readonly accountFinderSync: boolean;
  readonly glVerified: boolean;
  readonly shadow: boolean;
  readonly sweep: boolean;
  readonly program: string;
  readonly productId: string;
  readonly externalLedger: boolean;
  readonly custodialCustomerId?: string;
  readonly custodialType?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type TransactionStatus = "COMPLETED" | "PENDING" | "FAILED" | "DECLINED" | "REJECTED" | "CANCELLED";

export interface TransactionRecord {
  readonly id: string;
  readonly institutionId: string;
  /** Unique within the institution. */
  readonly referenceId: string;
  readonly customerId: string;
  readonly status: TransactionStatus;
  readonly currency: string;
  readonly amountMinor: bigint;
  /** The accounts that the money moves between, never one and the same; an outside party is a GL account. */
  readonly debtorAccountId: string;
  readonly creditorAccountId: string;
  /** The documented record (section 2.7) as JSON text, exactly as recorded, with its own time offset; without Status. */
  readonly documentJson: string;
  /** SHA-256 of the canonical (RFC 8785) content, for idempotency by reference. Lower-case hex. */
  readonly contentHash: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** One leg of a balanced entry. The postings of one transaction and currency sum to zero. */
export interface PostingRecord {
  readonly id: string;
  readonly institutionId: string;
  readonly transactionId: string;
  readonly accountId: string;
  readonly currency: string;
  /** Credit positive, debit negative. */
  readonly amountMinor: bigint;
  readonly createdAt: number;
}

/** A posting as it is kept: a link in the chain of its account. */
export interface ChainedPostingRecord extends PostingRecord {
  /** From 1. */
  readonly position: number;
  /** SHA-256 of this link, lower-case hex. */
  readonly hash: string;
}
