import type { AccountRecord, TransactionRecord } from "../../domain/records/accounts.ts";
import type {
  BeneficiaryRecord,
  CustomerRecord,
  LegalRepRecord,
  ShareHolderRecord,
} from "../../domain/records/parties.ts";

import type { Caller } from "../../../runtime/auth/auth-services.ts";
import type {
  DeliveryRecord,
  DeviceKeyRecord,
  OutboxMailRecord,
  Reads,
  SubscriptionRecord,
  UserRecord,
} from "../../../runtime/store/ports/index.ts";
import { operatorRealm } from "./users/realms.ts";
import {
  accountById,
  legalRepById,
  customerById,
  customersByIds,
  shareHolderById,
  accountByNumber,
  accountsByNumbers,
  beneficiaryById,
  transactionByReference,
} from "../../tables/index.ts";
import {
  userByName,
  subscriptionById,
  mailOfInstitution,
  deliveryById,
  deviceKeyById,
  ownersOfKeys,
} from "../../../runtime/store/tables/index.ts";

/** The lookups of a handler: they find only records that the caller may see. */
export interface ScopedReader {
  customer(id: string): Promise<CustomerRecord | undefined>;
  legalRep(id: string): Promise<LegalRepRecord | undefined>;
  shareHolder(id: string): Promise<ShareHolderRecord | undefined>;
  account(id: string): Promise<AccountRecord | undefined>;
  accountByNumber(number: string): Promise<AccountRecord | undefined>;
  /** The numbers that are of accounts. */
  knownNumbers(numbers: readonly string[]): Promise<ReadonlySet<string>>;
  /** The identifiers that are of customers. */
  knownCustomers(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The identifiers that are of signing keys whose user is visible. */
  knownKeys(keyIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Visible where its account is. */
  beneficiary(id: string): Promise<BeneficiaryRecord | undefined>;
  /** Visible to callers who see the customer named in the transaction. */
  transactionByReference(referenceId: string): Promise<TransactionRecord | undefined>;
  /** Visible to callers who see either side of the transaction (D-49). */
  readableTransaction(referenceId: string): Promise<ReadableTransaction | undefined>;
  /** Visible where the user sees no more customers than the caller does; another operator is not. */
  user(userName: string): Promise<UserRecord | undefined>;
  /** Visible where its user is. */
  deviceKey(keyId: string): Promise<DeviceKeyRecord | undefined>;
  /** Visible where its user is. */
  subscription(id: string): Promise<SubscriptionRecord | undefined>;
  /** Visible where its subscription is; that of a deleted subscription, to callers who see all customers. */
  delivery(id: string): Promise<DeliveryRecord | undefined>;
  /** Visible where its recipient is; one without, to callers who see all customers. */
  mail(id: string): Promise<OutboxMailRecord | undefined>;
  /** Those of the institution's mails that are visible. */
  mailsOf(found: readonly OutboxMailRecord[]): Promise<readonly OutboxMailRecord[]>;
  /** Those of the institution's subscriptions that are visible. */
  subscriptionsOf(found: readonly SubscriptionRecord[]): Promise<readonly SubscriptionRecord[]>;
  /** Those of the institution's deliveries that are visible. */
  deliveriesOf(found: readonly DeliveryRecord[]): Promise<readonly DeliveryRecord[]>;
}

/** A transaction, and the customer of the caller's side; where the caller sees both sides, the recorded customer. */
export interface ReadableTransaction {
  readonly transaction: TransactionRecord;
  readonly customerId: string;
}

/**
 * Lookups within the caller's institution and, where the credential is bound to customers, among theirs. Records
 * outside get the same answer as missing ones (D-08, D-19).
 */
// oxlint-disable-next-line max-lines-per-function -- a table of lookups that share those of users and accounts
export function scopedReader(context: { readonly store: Reads; readonly caller: Caller }): ScopedReader {
  const { store, caller } = context;
  const { institutionId } = caller;
  const account = async (id: string) => seen(caller, await store.one(accountById, institutionId, id));
  const user = async (userName: string) => {
    const found = await store.one(userByName, userName);
    return found !== undefined && seesUser(caller, found) ? found : undefined;
  };
  const subscription = async (id: string) => {
    const found = await store.one(subscriptionById, institutionId, id);
    return found !== undefined && (await user(found.userName)) !== undefined ? found : undefined;
  };
  const recipientOf = async ({ userName, recipientId }: OutboxMailRecord): Promise<object | undefined> => {
    if (userName !== undefined) return user(userName);
    return recipientId === undefined
      ? undefined
      : seen(caller, await store.one(legalRepById, institutionId, recipientId));
  };
  const mailsOf = async (found: readonly OutboxMailRecord[]) => {
    if (caller.groups === undefined) return found;
    const recipients = await Promise.all(found.map(recipientOf));
    return found.filter((_mail, index) => recipients[index] !== undefined);
  };
  return {
    account,
    user,
    subscription,
    mailsOf,
    async mail(id) {
      const found = await store.one(mailOfInstitution, institutionId, id);
      return found === undefined ? undefined : (await mailsOf([found]))[0];
    },
    async delivery(id) {
      const found = await store.one(deliveryById, institutionId, id);
      if (found === undefined || caller.groups === undefined) return found;
      return (await subscription(found.subscriptionId)) === undefined ? undefined : found;
    },
    async subscriptionsOf(found) {
      if (caller.groups === undefined) return found;
      return filterBy(found, ({ userName }) => userName, user);
    },
    async deliveriesOf(found) {
      if (caller.groups === undefined) return found;
      return filterBy(found, ({ subscriptionId }) => subscriptionId, subscription);
    },
    async deviceKey(keyId) {
      const key = await store.one(deviceKeyById, keyId);
      return key !== undefined && (await user(key.userName)) !== undefined ? key : undefined;
    },
    async customer(id) {
      const customer = await store.one(customerById, institutionId, id);
      return customer !== undefined && seesCustomer(caller, customer.id) ? customer : undefined;
    },
    legalRep: async (id) => seen(caller, await store.one(legalRepById, institutionId, id)),
    shareHolder: async (id) => seen(caller, await store.one(shareHolderById, institutionId, id)),
    accountByNumber: async (number) => seen(caller, await store.one(accountByNumber, institutionId, number)),
    async knownNumbers(numbers) {
      const found = await store.many(accountsByNumbers, institutionId, numbers);
      return new Set(found.flatMap((each) => seen(caller, each)?.number ?? []));
    },
    async knownCustomers(ids) {
      const seenIds = new Set(caller.groups ?? ids);
      const found = await store.many(customersByIds, institutionId, ids);
      return new Set(found.flatMap(({ id }) => (seenIds.has(id) ? id : [])));
    },
    async knownKeys(keyIds) {
      const found = await store.many(ownersOfKeys, keyIds);
      return new Set((await filterBy(found, ({ userName }) => userName, user)).map(({ keyId }) => keyId));
    },
    async beneficiary(id) {
      const beneficiary = await store.one(beneficiaryById, institutionId, id);
      if (beneficiary === undefined) return undefined;
      return (await account(beneficiary.accountId)) === undefined ? undefined : beneficiary;
    },
    transactionByReference: async (referenceId) =>
      seen(caller, await store.one(transactionByReference, institutionId, referenceId)),
    async readableTransaction(referenceId) {
      const transaction = await store.one(transactionByReference, institutionId, referenceId);
      if (caller.groups === undefined)
        return transaction && { transaction, customerId: transaction.customerId };
      // The same work whether there is such a transaction or not (D-08).
      const { debtorAccountId = "", creditorAccountId = "" } = transaction ?? {};
      const debtor = await store.one(accountById, institutionId, debtorAccountId);
      const creditor = await store.one(accountById, institutionId, creditorAccountId);
      const side = [transaction, debtor, creditor].find((each) => seen(caller, each) !== undefined);
      return transaction && side && { transaction, customerId: side.customerId };
    },
  };
}

/** The records whose owner is found. Looks up each owner once. */
async function filterBy<R>(
  records: readonly R[],
  ownerOf: (record: R) => string,
  find: (owner: string) => Promise<object | undefined>,
): Promise<readonly R[]> {
  const visible = new Set<string>();
  for (const owner of new Set(records.map(ownerOf))) {
    if ((await find(owner)) !== undefined) visible.add(owner);
  }
  return records.filter((record) => visible.has(ownerOf(record)));
}

/** Whether the caller may see the records of a customer. */
export function seesCustomer(caller: Pick<Caller, "groups">, customerId: string): boolean {
  return caller.groups === undefined || caller.groups.includes(customerId);
}

/**
 * Whether the caller may see a user: one of the institution who sees no more customers than the caller does. Of the
 * operators each sees itself alone: local commands manage them.
 */
export function seesUser(caller: Caller, user: UserRecord): boolean {
  if (user.institutionId !== caller.institutionId) return false;
  if (user.realm === operatorRealm && user.userName !== caller.userName) return false;
  if (caller.groups === undefined) return true;
  const seenIds = new Set(caller.groups);
  return user.groups?.every((id) => seenIds.has(id)) === true;
}

function seen<R extends { readonly customerId: string }>(
  caller: Caller,
  record: R | undefined,
): R | undefined {
  return record !== undefined && seesCustomer(caller, record.customerId) ? record : undefined;
}
