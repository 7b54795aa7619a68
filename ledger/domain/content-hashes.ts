import { createHash, hash } from "node:crypto";
import { digest, type LinkPlace } from "../../runtime/store/common/index.ts";
import { mapIdentifications } from "./transactions.ts";
import type { AccountRecord, PostingRecord, TransactionRecord } from "./records/accounts.ts";

/** Hashes of the books, version 1 (docs/verify.md): in the form of `runtime/store/common/chains.ts`. Amounts are texts, because JSON numbers lose digits. */

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
 * Over what a transaction is, with its postings in the order of their identifiers. The values of every
 * `Identification` in its document are left out: they are sealed at rest, and their hash must not help to guess them.
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
