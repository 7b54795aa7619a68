/** The transactions of a synthetic bank, and their postings. */
import { createHash } from "node:crypto";
import type { PostingRecord, TransactionRecord } from "../../ledger/domain/records/accounts.ts";
import {
  accountIdAt,
  accountNumberAt,
  createdAt,
  currencyOf,
  customerOf,
  drawsOf,
  institutionId,
  type BankPlan,
} from "./plan.ts";

export function transactionAt(index: number, customers: number, plan: BankPlan): TransactionRecord {
  const sides = sidesOf(index, plan);
  const amountMinor = BigInt(1 + drawsOf(index, plan.seed + 2)(500_000));
  const names = { id: `01JT${String(index).padStart(22, "0")}`, referenceId: `R${index}` };
  return completed({ ...names, amountMinor, createdAt: createdAt(index) }, sides, customers, plan.seed);
}

/** The first account is its debtor, then its creditor, in turns. */
export function busyTransactionAt(index: number, customers: number, plan: BankPlan): TransactionRecord {
  const other = 1 + drawsOf(index, plan.seed + 5)(plan.accounts - 1);
  const sides = index % 2 === 0 ? ([0, other] as const) : ([other, 0] as const);
  const names = { id: `01JB${String(index).padStart(22, "0")}`, referenceId: `B${index}` };
  const amountMinor = BigInt(1 + index);
  return completed({ ...names, amountMinor, createdAt: createdAt(index) }, sides, customers, plan.seed);
}

/** A transaction of the debtor's customer, with its document. */
function completed(
  drawn: Pick<TransactionRecord, "id" | "referenceId" | "amountMinor" | "createdAt">,
  [debtor, creditor]: readonly [debtor: number, creditor: number],
  customers: number,
  seed: number,
): TransactionRecord {
  const { id, referenceId, amountMinor } = drawn;
  const customerId = customerOf(debtor, customers, seed);
  const currency = currencyOf(debtor, seed);
  const documentJson = JSON.stringify({
    type: "RTP_IN",
    mode: "PG",
    Status: "COMPLETED",
    ReferenceId: referenceId,
    CustomerId: customerId,
    TimeStamp: new Date(drawn.createdAt).toISOString(),
    TransactionId: id,
    credit: true,
    InstructedAmount: { Amount: Number(amountMinor) / 100, Currency: currency },
    Fees: [],
    DebtorAccount: sideOf(debtor),
    CreditorAccount: sideOf(creditor),
  });
  return {
    ...drawn,
    institutionId,
    customerId,
    status: "COMPLETED",
    currency,
    debtorAccountId: accountIdAt(debtor),
    creditorAccountId: accountIdAt(creditor),
    documentJson,
    contentHash: createHash("sha256").update(documentJson).digest("hex"),
    updatedAt: drawn.createdAt,
  };
}

function sideOf(account: number) {
  return { AccountNumber: accountNumberAt(account), InstitutionId: institutionId };
}

/** The debtor's posting, leg 0, or the creditor's. */
export function postingOf(transaction: TransactionRecord, leg: number): PostingRecord {
  const { id, debtorAccountId, creditorAccountId, currency, amountMinor } = transaction;
  return {
    id: `${id}/${leg}`,
    institutionId,
    transactionId: id,
    accountId: leg === 0 ? debtorAccountId : creditorAccountId,
    currency,
    amountMinor: leg === 0 ? -amountMinor : amountMinor,
    createdAt: transaction.createdAt,
  };
}

/** The indexes of the two accounts that the money of a transaction moves between: of the same currency. */
export function sidesOf(
  index: number,
  { accounts, seed }: BankPlan,
): readonly [debtor: number, creditor: number] {
  const draw = drawsOf(index, seed + 1);
  const debtor = draw(accounts);
  const currency = currencyOf(debtor, seed);
  let creditor = (debtor + 1 + draw(accounts - 1)) % accounts;
  while (creditor === debtor || currencyOf(creditor, seed) !== currency) creditor = (creditor + 1) % accounts;
  return [debtor, creditor];
}
