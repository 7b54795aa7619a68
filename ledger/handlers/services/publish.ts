import type { AccountRecord, TransactionRecord } from "../../domain/records/accounts.ts";
import type { Recipients } from "../../../runtime/store/ports/index.ts";
import type { EventName } from "../../../generated/ledger/types.ts";
import type { EventDraft } from "../../../runtime/pipeline/index.ts";
import { accountEvent } from "../presenters/account-event.ts";
import { transactionEvent } from "../presenters/transaction-event.ts";

/** Takes the events of the interface alone: where one is renamed, the compiler finds who announces it. */
interface Publishes {
  readonly events: { record(event: EventDraft & { readonly name: EventName }): Promise<void> };
}

const newAccount = "Account.NEW" satisfies EventName;

/**
 * Who receives the bank's events: topics are account numbers, groups are customers. An event goes to the subscribers
 * of its accounts, a new account's also to those of any account of its customer (D-40).
 */
export const recipients: Recipients = ({ name, topics, group }) => {
  const accounts = topics.map((value) => ({ kind: "topic", value }) as const);
  const isToGroup = name === newAccount && group !== undefined;
  return Promise.resolve(isToGroup ? [...accounts, { kind: "group", value: group }] : accounts);
};

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
  const topics = pool === undefined ? [account.number] : [account.number, pool.number];
  const isForeign = pool !== undefined && pool.customerId !== account.customerId;
  const { customerID: _hidden, ...poolPayload } = payload;
  await context.events.record({
    name: newAccount,
    topics,
    group: account.customerId,
    payload,
    // A subscription of the pool account alone is delivered these two numbers; any other one gets the full payload.
    otherPayloads: isForeign ? topics.map((topic) => ({ topic, payload: poolPayload })) : [],
  });
}

/** Publishes that an account has another status (D-39). */
export async function publishAccountStatus(context: Publishes, account: AccountRecord): Promise<void> {
  await context.events.record({
    name: "Account.UPDATE",
    topics: [account.number],
    group: account.customerId,
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
    topics: sides.map((account) => account.number),
    group: transaction.customerId,
    payload,
    otherPayloads: others.map(({ number, customerId }) => ({
      topic: number,
      payload: { ...payload, CustomerId: customerId },
    })),
  });
}
