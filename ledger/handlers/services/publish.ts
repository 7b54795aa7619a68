import type { AccountRecord, TransactionRecord, WriteContext } from "../../../runtime/ports/index.ts";
import { accountEvent } from "../presenters/account-event.ts";
import { transactionEvent } from "../presenters/transaction-event.ts";

type Publishes = Pick<WriteContext, "events">;

/**
 * Publishes a new account for its customer's subscribers and for those of its pool account (D-39, D-40). Where the pool
 * account belongs to another customer, its subscribers get no `customerID` (D-40, as D-49 for transactions).
 */
export async function publishNewAccount(
  context: Publishes,
  account: AccountRecord,
  pool: AccountRecord | undefined,
): Promise<void> {
  const payload = accountEvent(account);
  const accountNumbers = pool === undefined ? [account.number] : [account.number, pool.number];
  const isForeign = pool !== undefined && pool.customerId !== account.customerId;
  const { customerID: _hidden, ...poolPayload } = payload;
  await context.events.record({
    name: "Account.NEW",
    accountNumbers,
    customerId: account.customerId,
    payload,
    // A subscription of the pool account alone is delivered these two numbers; any other one gets the full payload.
    otherPayloads: isForeign
      ? accountNumbers.map((accountNumber) => ({ accountNumber, payload: poolPayload }))
      : [],
  });
}

/** Publishes that an account has another status (D-39). */
export async function publishAccountStatus(context: Publishes, account: AccountRecord): Promise<void> {
  await context.events.record({
    name: "Account.UPDATE",
    accountNumbers: [account.number],
    customerId: account.customerId,
    payload: accountEvent(account),
  });
}

/**
 * Publishes a transaction, or its new status, to subscribers of both sides (D-39, D-40). Each side receives its own
 * customer (D-49).
 */
export async function publishTransaction(
  context: Publishes,
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
