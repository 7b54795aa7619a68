import type { AccountRecord, TransactionRecord, WriteContext } from "../../ports/index.ts";
import { accountEvent } from "../presenters/account-event.ts";
import { transactionEvent } from "../presenters/transaction-event.ts";

type Announces = Pick<WriteContext, "events">;

/** Announces a new account to its own subscribers and to those of the pool it was opened under (D-39, D-40). */
export async function announceNewAccount(
  context: Announces,
  account: AccountRecord,
  pool: AccountRecord | undefined,
): Promise<void> {
  await context.events.record({
    name: "Account.NEW",
    accountNumbers: pool === undefined ? [account.number] : [account.number, pool.number],
    customerId: account.customerId,
    payload: accountEvent(account),
  });
}

/** Announces that an account has another status (D-39). */
export async function announceAccountStatus(context: Announces, account: AccountRecord): Promise<void> {
  await context.events.record({
    name: "Account.UPDATE",
    accountNumbers: [account.number],
    customerId: account.customerId,
    payload: accountEvent(account),
  });
}

/**
 * Announces a transaction, or its new status, to the subscribers of both its sides (D-39, D-40), to each with the
 * customer of its side (D-49).
 */
export async function announceTransaction(
  context: Announces,
  name: "Transaction.NEW" | "Transaction.UPDATE",
  transaction: TransactionRecord,
  sides: readonly AccountRecord[],
): Promise<void> {
  const payload = transactionEvent(transaction);
  const others = sides.filter(({ customerId }) => customerId !== transaction.customerId);
  await context.events.record({
    name,
    accountNumbers: sides.map((account) => account.number),
    customerId: transaction.customerId,
    payload,
    otherPayloads: others.map(({ number, customerId }) => ({
      accountNumber: number,
      payload: { ...payload, CustomerId: customerId },
    })),
  });
}
