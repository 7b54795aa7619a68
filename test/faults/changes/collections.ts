import {
  accountList,
  accountPage,
  transactionList,
  transactionPage,
} from "../../../ledger/books/listing/index.ts";
import {
  accountById,
  accountByNumber,
  accounts,
  beneficiariesOfAccount,
  customerById,
  customers,
  legalRepById,
  legalRepsByIds,
  shareHolderById,
  shareHolders,
  transactionByReference,
  transactions,
} from "../../../ledger/tables/index.ts";
import { subscribersInLane } from "../../../runtime/events/model/stored-deliveries.ts";
import type { AccountListing, AccountQuery, TransactionQuery } from "../../../ledger/domain/lists.ts";
import type * as accountRecords from "../../../ledger/domain/records/accounts.ts";
import type * as partyRecords from "../../../ledger/domain/records/parties.ts";
import type * as ports from "../../../runtime/store/ports/index.ts";
import type { Reads, Writes } from "../../../runtime/store/ports/index.ts";
import * as tables from "../../../runtime/store/tables/index.ts";

type Find<R> = (institutionId: string, id: string) => Promise<R | undefined>;
type Insert<R> = (record: R) => Promise<void>;
type Replace<R> = (record: R, before?: R) => Promise<void>;

/** The questions and changes that a fault does otherwise, by table. */
export interface Collections {
  readonly accounts: {
    readonly find: Find<accountRecords.AccountRecord>;
    readonly findByNumber: Find<accountRecords.AccountRecord>;
    readonly list: (query: AccountQuery) => Promise<readonly AccountListing[]>;
    readonly insert: Insert<accountRecords.AccountRecord>;
    readonly replace: Replace<accountRecords.AccountRecord>;
  };
  readonly answers: {
    readonly find: (requestHash: string) => Promise<ports.AnswerRecord | undefined>;
    readonly insert: Insert<ports.AnswerRecord>;
    readonly remove: (requestHash: string) => Promise<void>;
  };
  readonly beneficiaries: {
    readonly list: (
      institutionId: string,
      accountId: string,
      legalRepId: string,
      limit: number,
    ) => Promise<readonly partyRecords.BeneficiaryRecord[]>;
  };
  readonly customers: {
    readonly find: Find<partyRecords.CustomerRecord>;
    readonly replace: Replace<partyRecords.CustomerRecord>;
  };
  readonly deliveries: {
    readonly insertAll: (records: readonly ports.DeliveryRecord[]) => Promise<void>;
  };
  readonly deviceKeys: { readonly insert: Insert<ports.DeviceKeyRecord> };
  readonly eventSequences: {
    readonly putAll: (records: readonly ports.EventSequenceRecord[]) => Promise<void>;
  };
  readonly legalReps: {
    readonly find: Find<partyRecords.LegalRepRecord>;
    readonly findMany: (
      institutionId: string,
      ids: readonly string[],
    ) => Promise<readonly partyRecords.LegalRepRecord[]>;
  };
  readonly outboxEvents: { readonly insert: Insert<ports.OutboxEventRecord> };
  readonly registrations: {
    /** By the hash of its token. */
    readonly find: (tokenHash: string) => Promise<ports.RegistrationRecord | undefined>;
  };
  readonly shareHolders: {
    readonly find: Find<partyRecords.ShareHolderRecord>;
    readonly replace: Replace<partyRecords.ShareHolderRecord>;
  };
  readonly subscriptionTopics: {
    readonly inLane: (
      audience: ports.Audience,
      lane: string,
      after: string,
      limit: number,
    ) => Promise<readonly ports.SubscriptionTopicRecord[]>;
  };
  readonly subscriptionTargets: {
    readonly find: (
      institutionId: string,
      ids: readonly string[],
    ) => Promise<readonly ports.SubscriptionTarget[]>;
    readonly idsOfUser: (institutionId: string, userName: string) => Promise<readonly string[]>;
  };
  readonly subscriptions: {
    readonly find: Find<ports.SubscriptionRecord>;
    readonly insert: Insert<ports.SubscriptionRecord>;
    readonly replace: Replace<ports.SubscriptionRecord>;
  };
  readonly transactions: {
    readonly findByReference: Find<accountRecords.TransactionRecord>;
    readonly list: (query: TransactionQuery) => Promise<readonly accountRecords.TransactionRecord[]>;
    readonly replace: Replace<accountRecords.TransactionRecord>;
  };
  readonly users: {
    readonly find: (userName: string) => Promise<ports.UserRecord | undefined>;
    readonly replace: Replace<ports.UserRecord>;
  };
}

/** The questions and changes of a view or a transaction, as faults see them. A view changes nothing. */
// oxlint-disable-next-line max-lines-per-function -- a table of what faults change, one a line
export function collectionsOf(view: Reads | Writes): Collections {
  const tx: Writes = { ...refusing, ...view };
  return {
    accounts: {
      find: (...key) => tx.one(accountById, ...key),
      findByNumber: (...key) => tx.one(accountByNumber, ...key),
      list: (query) => tx.page(accountPage(query)),
      insert: (record) => tx.insert(accounts, record),
      replace: (record, before) => tx.replace(accounts, record, before),
    },
    answers: {
      find: (requestHash) => tx.one(tables.answerByHash, requestHash),
      insert: (record) => tx.insert(tables.answers, record),
      remove: (requestHash) => tx.remove(tables.answerByHash, requestHash),
    },
    beneficiaries: { list: (...key) => tx.many(beneficiariesOfAccount, ...key) },
    customers: {
      find: (...key) => tx.one(customerById, ...key),
      replace: (record, before) => tx.replace(customers, record, before),
    },
    deliveries: { insertAll: (records) => tx.insert(tables.deliveries, ...records) },
    deviceKeys: { insert: (record) => tx.insert(tables.deviceKeys, record) },
    eventSequences: { putAll: (records) => tx.put(tables.eventSequences, ...records) },
    legalReps: {
      find: (...key) => tx.one(legalRepById, ...key),
      findMany: (...key) => tx.many(legalRepsByIds, ...key),
    },
    outboxEvents: { insert: (record) => tx.insert(tables.outboxEvents, record) },
    registrations: { find: (hash) => tx.one(tables.registrationByToken, hash) },
    shareHolders: {
      find: (...key) => tx.one(shareHolderById, ...key),
      replace: (record, before) => tx.replace(shareHolders, record, before),
    },
    subscriptionTopics: { inLane: (...key) => subscribersInLane(tx, ...key) },
    subscriptionTargets: {
      find: (...key) => tx.many(tables.targetsById, ...key),
      idsOfUser: async (...key) => (await tx.many(tables.subscriptionIdsOfUser, ...key)).map(({ id }) => id),
    },
    subscriptions: {
      find: (...key) => tx.one(tables.subscriptionById, ...key),
      insert: (record) => tx.insert(tables.subscriptions, record),
      replace: (record, before) => tx.replace(tables.subscriptions, record, before),
    },
    transactions: {
      findByReference: (...key) => tx.one(transactionByReference, ...key),
      list: (query) => tx.page(transactionPage(query)),
      replace: (record, before) => tx.replace(transactions, record, before),
    },
    users: {
      find: (userName) => tx.one(tables.userByName, userName),
      replace: (record, before) => tx.replace(tables.users, record, before),
    },
  };
}

const refused = (): Promise<never> => Promise.reject(new Error("a view changes nothing"));
const refusing: Omit<Writes, keyof Reads> = {
  insert: refused,
  put: refused,
  replace: refused,
  update: refused,
  take: refused,
  remove: refused,
};

/** A transaction some of whose questions and changes are others. */
export function withCollections(view: Reads | Writes, changed: Partial<Collections>): Writes {
  const tx: Writes = { ...refusing, ...view };
  const all: Collections = { ...collectionsOf(view), ...changed };
  const [one, many] = [onesOf(all), maniesOf(all)];
  const { inserts, replaces } = changesOf(all);
  return {
    ...tx,
    one: async (query, ...values) => {
      const other = one.get(query);
      if (other === undefined) return tx.one(query, ...values);
      return found(await other(...values.map(String)));
    },
    many: async (query, ...values) => {
      const other = many.get(query);
      return other === undefined ? tx.many(query, ...values) : Object(await other(...values));
    },
    page: async (page) =>
      "query" in page
        ? tx.page(page)
        : page.from({
            list: async (listing, asked) => {
              if (listing === Object(accountList)) return Object(await all.accounts.list(Object(asked)));
              return listing === Object(transactionList)
                ? Object(await all.transactions.list(Object(asked)))
                : tx.page({ from: (lists) => lists.list(listing, asked) });
            },
          }),
    insert: async (table, ...records) => {
      if (table === Object(tables.deliveries)) return all.deliveries.insertAll(records.map(Object));
      const other = inserts.get(table);
      if (other === undefined) return tx.insert(table, ...records);
      for (const record of records) await other(record);
    },
    put: async (table, ...records) =>
      table === Object(tables.eventSequences)
        ? all.eventSequences.putAll(records.map(Object))
        : tx.put(table, ...records),
    replace: async (table, record, before) => {
      const other = replaces.get(table);
      if (other === undefined) return tx.replace(table, record, before);
      return other(record, before);
    },
  };
}

type Answers = ReadonlyMap<object, (...values: string[]) => Promise<unknown>>;

function onesOf(all: Collections): Answers {
  return new Map<object, (...values: string[]) => Promise<unknown>>([
    [accountById, (first = "", second = "") => all.accounts.find(first, second)],
    [accountByNumber, (first = "", second = "") => all.accounts.findByNumber(first, second)],
    [customerById, (first = "", second = "") => all.customers.find(first, second)],
    [legalRepById, (first = "", second = "") => all.legalReps.find(first, second)],
    [shareHolderById, (first = "", second = "") => all.shareHolders.find(first, second)],
    [transactionByReference, (first = "", second = "") => all.transactions.findByReference(first, second)],
    [tables.answerByHash, (first = "") => all.answers.find(first)],
    [tables.registrationByToken, (first = "") => all.registrations.find(first)],
    [tables.subscriptionById, (first = "", second = "") => all.subscriptions.find(first, second)],
    [tables.userByName, (first = "") => all.users.find(first)],
  ]);
}

function maniesOf(all: Collections): ReadonlyMap<object, (...values: unknown[]) => Promise<unknown>> {
  const inLane =
    (kind: ports.Audience["kind"]) =>
    (...[institutionId, value, lane, after, limit]: unknown[]) =>
      all.subscriptionTopics.inLane(
        { institutionId: String(institutionId), kind, value: String(value) },
        String(lane),
        String(after),
        Number(limit),
      );
  return new Map<object, (...values: unknown[]) => Promise<unknown>>([
    [
      beneficiariesOfAccount,
      (first, second, third, limit) =>
        all.beneficiaries.list(String(first), String(second), String(third), Number(limit)),
    ],
    [legalRepsByIds, (first, ids) => all.legalReps.findMany(String(first), textsOf(ids))],
    [tables.targetsById, (first, ids) => all.subscriptionTargets.find(String(first), textsOf(ids))],
    [
      tables.subscriptionIdsOfUser,
      async (first, second) => {
        const ids = await all.subscriptionTargets.idsOfUser(String(first), String(second));
        return ids.map((id) => ({ id }));
      },
    ],
    [tables.subscribersOf.topic, inLane("topic")],
    [tables.subscribersOf.group, inLane("group")],
  ]);
}

function textsOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.map(String) : [];
}

function changesOf(all: Collections) {
  const inserts = new Map<object, (record: unknown) => Promise<void>>([
    [accounts, (record) => all.accounts.insert(Object(record))],
    [tables.answers, (record) => all.answers.insert(Object(record))],
    [tables.deviceKeys, (record) => all.deviceKeys.insert(Object(record))],
    [tables.outboxEvents, (record) => all.outboxEvents.insert(Object(record))],
    [tables.subscriptions, (record) => all.subscriptions.insert(Object(record))],
  ]);
  const replaces = new Map<object, (record: unknown, before: unknown) => Promise<void>>([
    [accounts, (...both) => all.accounts.replace(Object(both[0]), found(both[1]))],
    [customers, (...both) => all.customers.replace(Object(both[0]), found(both[1]))],
    [shareHolders, (...both) => all.shareHolders.replace(Object(both[0]), found(both[1]))],
    [transactions, (...both) => all.transactions.replace(Object(both[0]), found(both[1]))],
    [tables.subscriptions, (...both) => all.subscriptions.replace(Object(both[0]), found(both[1]))],
    [tables.users, (...both) => all.users.replace(Object(both[0]), found(both[1]))],
  ]);
  return { inserts, replaces };
}

function found(record: unknown) {
  return record === undefined ? undefined : Object(record);
}
