import type { RpcError, RpcErrorDetail } from "../../../../runtime/contract/index.ts";
import { availableMinor, fitsBalance } from "../../../domain/money.ts";
import { heldMinor, legsOf, netByAccount, type Leg } from "../../../domain/postings.ts";
import { movementsAllowed, statusAfterMovement, type Side } from "../../../domain/account-status.ts";
import type { TransactionEffect } from "../../../domain/transaction-status.ts";
import type { AccountRecord, PostingRecord, TransactionRecord } from "../../../domain/records/accounts.ts";
import type { WriteContext } from "../../../../runtime/pipeline/index.ts";
import type { Rules } from "../../../domain/rules.ts";
import { auditAccount } from "../audit.ts";
import { movementOf } from "./movement.ts";
import { sidesOfRecorded } from "./transaction-sides.ts";
import { accounts as accountsTable, accountById } from "../../../tables/index.ts";
import { appendPostings } from "../../../books/postings.ts";

type Context = Pick<WriteContext, "store" | "caller" | "clock" | "ids" | "audit"> & {
  readonly rules: Rules;
  error(code: "CONFLICT", detail?: RpcErrorDetail<never>): RpcError;
};

/** The effects of a transaction on its accounts. */
export interface AppliedTransaction {
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
