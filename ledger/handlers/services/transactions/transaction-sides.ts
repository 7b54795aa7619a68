import type { RecordTransactionFieldPointer } from "../../../../generated/operator/handlers.ts";
import type { RecordTransactionPayload } from "../../../../generated/operator/types.ts";
import type { RpcError, RpcErrorDetail } from "../../../../runtime/contract/index.ts";
import type { AccountRecord, TransactionRecord } from "../../../domain/records/accounts.ts";
import type { CustomerRecord } from "../../../domain/records/parties.ts";
import type { Reads } from "../../../../runtime/store/ports/index.ts";
import type { WriteContext } from "../../../../runtime/pipeline/index.ts";
import { generalLedgerAccount } from "./general-ledger.ts";
import { scopedReader } from "../scoped-reader.ts";
import { accountById } from "../../../tables/index.ts";

/** The accounts that money moves between. */
export interface TransactionSides {
  readonly debtor: AccountRecord;
  readonly creditor: AccountRecord;
}

type Context = Pick<WriteContext, "store" | "caller" | "clock" | "ids" | "audit"> & {
  error(
    code: "BAD_INPUT" | "NOT_FOUND_ACCOUNT",
    detail?: RpcErrorDetail<RecordTransactionFieldPointer>,
  ): RpcError;
};

/**
 * The accounts of a transaction to be recorded: a party at this institution by its account, a party elsewhere by
 * the bank's clearing account. They differ, hold the currency of the amount, and one of them is the customer's.
 */
export async function sidesOf(
  payload: Pick<RecordTransactionPayload, "DebtorAccount" | "CreditorAccount">,
  customer: CustomerRecord,
  currency: string,
  context: Context,
): Promise<TransactionSides> {
  const debtor = await sideOf("DebtorAccount", payload, currency, context);
  const creditor = await sideOf("CreditorAccount", payload, currency, context);
  const refuse = (field: RecordTransactionFieldPointer, reason: string) =>
    context.error("BAD_INPUT", { field, reason });
  if (debtor.id === creditor.id) throw refuse("/CreditorAccount/AccountNumber", "same-account");
  if (debtor.currency !== currency || creditor.currency !== currency) {
    throw refuse("/InstructedAmount/Currency", "account-currency");
  }
  if (debtor.customerId !== customer.id && creditor.customerId !== customer.id) {
    throw refuse("/CustomerId", "not-a-party");
  }
  return { debtor, creditor };
}

/** The accounts of a transaction that was recorded. */
export async function sidesOfRecorded(
  { institutionId, debtorAccountId, creditorAccountId }: TransactionRecord,
  { store }: { readonly store: Reads },
): Promise<TransactionSides> {
  const debtor = await store.one(accountById, institutionId, debtorAccountId);
  const creditor = await store.one(accountById, institutionId, creditorAccountId);
  if (debtor === undefined || creditor === undefined) throw new Error("a transaction without its accounts");
  return { debtor, creditor };
}

async function sideOf(
  side: "DebtorAccount" | "CreditorAccount",
  payload: Pick<RecordTransactionPayload, "DebtorAccount" | "CreditorAccount">,
  currency: string,
  context: Context,
): Promise<AccountRecord> {
  const { InstitutionId, AccountNumber } = payload[side];
  if (InstitutionId !== context.caller.institutionId) {
    return generalLedgerAccount(context, "clearing", currency);
  }
  const account = await scopedReader(context).accountByNumber(AccountNumber);
  if (account === undefined) throw context.error("NOT_FOUND_ACCOUNT", { field: `/${side}/AccountNumber` });
  return account;
}
