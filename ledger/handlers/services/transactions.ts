import type { RpcError, RpcErrorDetail, Decimal } from "../../../runtime/contract/index.ts";
import { availableMinor, fitsBalance, parseMoney, type Money } from "../../domain/money.ts";
import {
  heldMinor,
  legsOf,
  netByAccount,
  type Leg,
  type TransactionEffect,
  type Charge,
  type Movement,
} from "../../domain/transactions.ts";
import {
  movementsAllowed,
  statusAfterMovement,
  type Side,
  bankCustomerId,
  generalLedgerId,
  type GeneralLedgerPurpose,
} from "../../domain/accounts.ts";
import type { AccountRecord, PostingRecord, TransactionRecord } from "../../domain/records/accounts.ts";
import type { WriteContext } from "../../../runtime/pipeline/index.ts";
import type { Rules } from "../../domain/rules.ts";
import { auditAccount, auditNewAccount } from "./audit.ts";
import {
  accounts as accountsTable,
  accountById,
  accounts,
  customerById,
  customers,
} from "../../tables/index.ts";
import { appendPostings } from "../../books/postings.ts";
import { documentOf } from "../presenters/transaction.ts";
import type { RecordTransactionFieldPointer } from "../../../generated/operator/handlers.ts";
import type { RecordTransactionPayload } from "../../../generated/operator/types.ts";
import type { CustomerRecord } from "../../domain/records/parties.ts";
import type { Reads } from "../../../runtime/store/ports/index.ts";
import { scopedReader } from "./scoped-reader.ts";
import { newAccount, unusedAccountNumber } from "./accounts.ts";
import { institutionById } from "../../../runtime/store/tables/index.ts";

type Context = Pick<WriteContext, "store" | "caller" | "clock" | "ids" | "audit"> & {
  readonly rules: Rules;
  error(code: "CONFLICT", detail?: RpcErrorDetail<never>): RpcError;
};

/** The effects of a transaction on its accounts. */
interface AppliedTransaction {
  readonly postings: readonly PostingRecord[];
  /** Accounts that a credit changed from DORMANT to ACTIVE. */
  readonly woken: readonly AccountRecord[];
}

const nothing: AppliedTransaction = { postings: [], woken: [] };

/**
 * Applies a change of a transaction's status to its accounts: holds the debtor's amount, releases it or posts it (D-26,
 * D-27). Charges above the amount debit the creditor. Throws `CONFLICT` where an account's status, its minimum balance
 * (`accounts.overdraft`) or the size of a balance forbids it.
 */
export async function applyTransaction(
  context: Context,
  transaction: TransactionRecord,
  before: TransactionEffect,
  after: TransactionEffect,
): Promise<AppliedTransaction> {
  if (before === after) return nothing;
  const sides = await sidesOfRecorded(transaction, context);
  const { debtor, creditor } = sides;
  if (after !== "none") {
    assertAllowed(context, debtor, "debit");
    assertAllowed(context, creditor, "credit");
  }
  const movement = await movementOf(context, transaction, sides);
  const legs = legsOf(movement);
  if (after !== "none") {
    const netMinor = netByAccount(legs);
    if ((netMinor.get(creditor.id) ?? 0n) < 0n) assertAllowed(context, creditor, "debit");
    assertCovered(context, before === "hold" ? [creditor] : [debtor, creditor], netMinor);
  }
  const held = heldMinor(movement);
  const holdChange = (after === "hold" ? held : 0n) - (before === "hold" ? held : 0n);
  await changeHold(context, debtor, holdChange);
  return after === "post" ? post(context, transaction, creditor, legs) : nothing;
}

/** Throws `CONFLICT` where the account's status forbids the movement (D-26). */
function assertAllowed(context: Context, account: AccountRecord, side: Side): void {
  if (movementsAllowed[account.status].includes(side)) return;
  throw context.error("CONFLICT", {
    reason: "account-status",
    data: { accountNumber: account.number, status: account.status, side },
  });
}

/**
 * Throws `CONFLICT` where a balance would fall below its minimum. A hold covers its posting, so a debtor is checked once,
 * when the movement begins. A creditor whose charges exceed the amount has no hold and is checked each time.
 */
function assertCovered(
  context: Context,
  accounts: readonly AccountRecord[],
  netMinor: ReadonlyMap<string, bigint>,
): void {
  if (context.rules.overdraft === "allow") return;
  for (const account of accounts) {
    const changeMinor = netMinor.get(account.id) ?? 0n;
    const isExempt = account.type === "GL" || account.type === "CREDIT_CARD";
    if (isExempt || changeMinor >= 0n) continue;
    if (availableMinor(account) + changeMinor >= account.minimumMinor) continue;
    throw context.error("CONFLICT", {
      reason: "insufficient-balance",
      data: { accountNumber: account.number },
    });
  }
}

async function changeHold(context: Context, debtor: AccountRecord, changeMinor: bigint): Promise<void> {
  if (changeMinor === 0n) return;
  const changed = {
    ...debtor,
    holdMinor: debtor.holdMinor + changeMinor,
    updatedAt: context.clock.now(),
  };
  assertFits(context, changed, debtor.ledgerMinor);
  await context.store.replace(accountsTable, changed, debtor);
}

async function post(
  context: Context,
  { id: transactionId, institutionId }: TransactionRecord,
  creditor: AccountRecord,
  legs: readonly Leg[],
): Promise<AppliedTransaction> {
  const { store, clock, ids } = context;
  for (const [accountId, netMinor] of netByAccount(legs)) {
    const account = await store.one(accountById, institutionId, accountId);
    if (account === undefined) throw new Error("a posting without its account");
    assertFits(context, account, account.ledgerMinor + netMinor);
    const status = accountId === creditor.id ? statusAfterMovement(account.status, "credit") : account.status;
    const changed = { ...account, status, updatedAt: clock.now() };
    await store.replace(accountsTable, changed, account);
    await auditAccount(context, account, changed);
  }
  const postings = legs.map((leg) => ({
    ...leg,
    id: ids.id(),
    institutionId,
    transactionId,
    createdAt: clock.now(),
  }));
  await appendPostings(store, postings);
  const credited = await store.one(accountById, institutionId, creditor.id);
  const isWoken = credited !== undefined && credited.status !== creditor.status;
  return { postings, woken: isWoken ? [credited] : [] };
}

/** Throws `CONFLICT` where a balance could not be answered exactly (D-37). */
function assertFits(context: Context, account: AccountRecord, ledgerMinor: bigint): void {
  if (
    fitsBalance(ledgerMinor) &&
    fitsBalance(account.holdMinor) &&
    fitsBalance(availableMinor({ ...account, ledgerMinor }))
  ) {
    return;
  }
  throw context.error("CONFLICT", {
    reason: "balance-limit",
    data: { accountNumber: account.number },
  });
}

/**
 * The movement of a recorded transaction: its amount from debtor to creditor, and fees with their taxes from the
 * customer's side to the bank's accounts. The customer's side is the debtor's, where both are the customer's.
 */
async function movementOf(
  context: Context,
  transaction: TransactionRecord,
  { debtor, creditor }: TransactionSides,
): Promise<Movement> {
  const { amountMinor, currency, customerId } = transaction;
  const charged = debtor.customerId === customerId ? debtor : creditor;
  const fees = documentOf(transaction).Fees;
  const hasTax = fees.some(({ Tax }) => Tax !== undefined);
  // Fees are in the currency of the transaction: one account each for all of them.
  const income = fees.length > 0 ? await generalLedgerAccount(context, "fee-income", currency) : undefined;
  const payable = hasTax ? await generalLedgerAccount(context, "tax-payable", currency) : undefined;
  const charge = (incomeAccountId: string, amount: Decimal): Charge => ({
    chargedAccountId: charged.id,
    incomeAccountId,
    amount: storedMoney(amount, currency),
  });
  return {
    debtorAccountId: debtor.id,
    creditorAccountId: creditor.id,
    amount: { amountMinor, currency },
    charges: fees.flatMap(({ Amount, Tax }) => [
      ...(income === undefined ? [] : [charge(income.id, Amount)]),
      ...(payable === undefined || Tax === undefined ? [] : [charge(payable.id, Tax)]),
    ]),
  };
}

function storedMoney(amount: Decimal, currency: string): Money {
  const money = parseMoney(amount, currency);
  if (!money.ok) throw new Error(`a stored amount is no money: ${money.fault}`);
  return money.value;
}

/** The accounts that money moves between. */
interface TransactionSides {
  readonly debtor: AccountRecord;
  readonly creditor: AccountRecord;
}

type SidesContext = Pick<WriteContext, "store" | "caller" | "clock" | "ids" | "audit"> & {
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
  context: SidesContext,
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
  context: SidesContext,
): Promise<AccountRecord> {
  const { InstitutionId, AccountNumber } = payload[side];
  if (InstitutionId !== context.caller.institutionId) {
    return generalLedgerAccount(context, "clearing", currency);
  }
  const account = await scopedReader(context).accountByNumber(AccountNumber);
  if (account === undefined) throw context.error("NOT_FOUND_ACCOUNT", { field: `/${side}/AccountNumber` });
  return account;
}

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
