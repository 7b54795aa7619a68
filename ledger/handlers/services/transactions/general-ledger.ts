import {
  bankCustomerId,
  generalLedgerId,
  type GeneralLedgerPurpose,
} from "../../../domain/general-ledger.ts";
import type { AccountRecord } from "../../../domain/records/accounts.ts";
import type { CustomerRecord } from "../../../domain/records/parties.ts";
import type { WriteContext } from "../../../../runtime/pipeline/index.ts";
import { auditNewAccount } from "../audit.ts";
import { newAccount } from "../accounts/new-account.ts";
import { unusedAccountNumber } from "../accounts/unused-account-number.ts";
import { accountById, accounts, customerById, customers } from "../../../tables/index.ts";
import { institutionById } from "../../../../runtime/store/tables/index.ts";

const names: Readonly<Record<GeneralLedgerPurpose, string>> = {
  clearing: "Clearing with outside parties",
  "fee-income": "Fee income",
  "tax-payable": "Tax payable",
};

type Opens = Pick<WriteContext, "store" | "caller" | "clock" | "ids" | "audit">;

/**
 * The bank's own account for a purpose and currency: what stands for every party outside the institution, and what
 * fees and taxes flow to. Opened when it is first needed; owned by the customer that stands for the bank itself.
 */
export async function generalLedgerAccount(
  context: Opens,
  purpose: GeneralLedgerPurpose,
  currency: string,
): Promise<AccountRecord> {
  const { store, caller, clock } = context;
  const id = generalLedgerId(purpose, currency);
  const present = await store.one(accountById, caller.institutionId, id);
  if (present !== undefined) return present;
  const bank = await bankCustomer(context);
  const number = await unusedAccountNumber(context);
  const account = newAccount({
    id,
    institutionId: caller.institutionId,
    customerId: bank.id,
    name: `${names[purpose]} (${currency})`,
    number,
    type: "GL",
    currency,
    glAccount: number,
    institutionOwned: true,
    createdAt: clock.now(),
  });
  await store.insert(accounts, account);
  await auditNewAccount(context, account);
  return account;
}

/** The customer that stands for the institution itself. */
async function bankCustomer(context: Opens): Promise<CustomerRecord> {
  const { store, caller, clock } = context;
  const present = await store.one(customerById, caller.institutionId, bankCustomerId);
  if (present !== undefined) return present;
  const institution = await store.one(institutionById, caller.institutionId);
  const bank: CustomerRecord = {
    id: bankCustomerId,
    institutionId: caller.institutionId,
    type: "BUSINESS",
    name: institution?.name ?? caller.institutionId,
    status: "ACTIVE",
    identification: [],
    contact: {},
    address: {},
    createdAt: clock.now(),
    updatedAt: clock.now(),
  };
  await store.insert(customers, bank);
  return bank;
}
