import { mapIdentifications } from "../../ledger/domain/identification.ts";
import { createHash, hash } from "node:crypto";
import type { AuditRecord } from "./records/audit.ts";
import type { AccountRecord, PostingRecord, TransactionRecord } from "./records.ts";

/**
 * Hashes of append-only records, version 1 (docs/verify.md). Every hash is SHA-256, in lower-case hex, over the UTF-8
 * bytes of a JSON array as RFC 8785 writes it: texts, integers, `null` and arrays of these, without white space.
 * Amounts are texts, because JSON numbers lose digits.
 */
type Value = string | number | null | readonly Value[];

/** Where a link is: after the one with `previousHash`, which is "" at position 1. */
export interface LinkPlace {
  readonly position: number;
  readonly previousHash: string;
}

/** The last link of a chain: `position` is 0 before the first. */
export interface ChainHead {
  readonly position: number;
  readonly hash: string;
}

/** The fields of an account that its audit entries cover. */
export interface AccountContent extends Pick<
  AccountRecord,
  | "institutionId"
  | "id"
  | "customerId"
  | "number"
  | "category"
  | "currency"
  | "preAuthMinor"
  | "minimumMinor"
  | "subLedgerCode"
  | "parentId"
  | "legalRepIds"
  | "glAccount"
  | "custodialCustomerId"
  | "custodialType"
  | "createdAt"
> {
  readonly type: string;
  readonly status: string;
}

/** The fields of a transaction that its audit entries cover. */
export interface TransactionContent extends Omit<TransactionRecord, "status" | "updatedAt"> {
  readonly status: string;
}

/** The fields of a posting that its transaction's audit entries cover. */
export type PostingContent = Pick<
  PostingRecord,
  "id" | "accountId" | "currency" | "amountMinor" | "createdAt"
>;

/** The fields of an audit entry that its hash covers beside its place. */
export interface AuditContent extends Omit<
  AuditRecord,
  "sequence" | "number" | "position" | "hash" | "subjectType"
> {
  readonly subjectType: string;
}

/** The root before the first entry. */
export const firstRoot = digest(["ledger-root/1"]);

/** The root over one entry more: over all audit entries so far, and through them over all postings. */
export function nextRoot(root: string, entryHash: string): string {
  return digest(["ledger-root/1", root, entryHash]);
}

/** The link of a posting in the chain of its account. */
export function postingHash(posting: PostingRecord, place: LinkPlace): string {
  return digest([
    "ledger-chain/1",
    "postings",
    posting.institutionId,
    posting.accountId,
    place.position,
    place.previousHash,
    posting.id,
    posting.transactionId,
    posting.currency,
    String(posting.amountMinor),
    posting.createdAt,
  ]);
}

/** The link of an audit entry in the chain of its subject. */
export function auditHash(entry: AuditContent, place: LinkPlace): string {
  return digest([
    "ledger-chain/1",
    "audit_entries",
    entry.institutionId,
    entry.subjectType,
    entry.subjectId,
    place.position,
    place.previousHash,
    entry.operation,
    entry.changedAt,
    entry.userName ?? null,
    entry.keyId ?? null,
    entry.changes.map(({ field, from, to }) => [field, from ?? null, to ?? null]),
    entry.contentHash ?? null,
  ]);
}

/** Over what an account is, apart from names, addresses and tags, and from the balances that money moves. */
export function accountContentHash(account: AccountContent): string {
  return digest([
    "ledger-account/1",
    account.institutionId,
    account.id,
    account.customerId,
    account.number,
    account.type,
    account.status,
    account.category,
    account.currency,
    String(account.preAuthMinor),
    String(account.minimumMinor),
    account.subLedgerCode,
    account.parentId ?? null,
    account.legalRepIds,
    account.glAccount,
    account.custodialCustomerId ?? null,
    account.custodialType ?? null,
    account.createdAt,
  ]);
}

/**
 * Over what a transaction is, with its postings in the order of their identifiers. Of its document the values of every
 * `Identification` are left out: they are sealed at rest, and their hash must not let a reader guess them.
 */
export function transactionContentHash(
  transaction: TransactionContent,
  postings: readonly PostingContent[],
): string {
  const sorted = postings.toSorted((left, right) => (left.id < right.id ? -1 : 1));
  return hash("sha256", `${contentStart(transaction)}${sorted.map(postingText).join(",")}]]`);
}

/** The same, of postings that are added one by one in the order of their identifiers: none of them is kept. */
export function startTransactionContentHash(transaction: TransactionContent): {
  add(posting: PostingContent): void;
  end(): string;
} {
  const digesting = createHash("sha256").update(contentStart(transaction));
  let separator = "";
  return {
    add: (posting) => {
      digesting.update(separator + postingText(posting));
      separator = ",";
    },
    end: () => digesting.update("]]").digest("hex"),
  };
}

/** The array of the content up to where its postings begin. */
function contentStart(transaction: TransactionContent): string {
  const values = JSON.stringify([
    "ledger-transaction/1",
    transaction.institutionId,
    transaction.id,
    transaction.referenceId,
    transaction.customerId,
    transaction.status,
    transaction.currency,
    String(transaction.amountMinor),
    transaction.debtorAccountId,
    transaction.creditorAccountId,
    mapIdentifications(transaction.documentJson, () => ""),
    transaction.contentHash,
    transaction.createdAt,
  ]);
  return `${values.slice(0, -1)},[`;
}

function postingText({ id, accountId, currency, amountMinor, createdAt }: PostingContent): string {
  return JSON.stringify([id, accountId, currency, String(amountMinor), createdAt]);
}

function digest(values: readonly Value[]): string {
  return hash("sha256", JSON.stringify(values));
}
