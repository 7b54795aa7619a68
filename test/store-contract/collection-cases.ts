import type {
  AccountRecord,
  CategoryRecord,
  TransactionRecord,
} from "../../ledger/domain/records/accounts.ts";
import type {
  AnswerRecord,
  ApiKeyRecord,
  DeliveryAttemptRecord,
  DeliveryRecord,
  DeviceKeyRecord,
  EventRecord,
  InstitutionRecord,
  RegistrationRecord,
  ServiceKeyRecord,
  SourceRecord,
  Writes,
  Reads,
  SubscriptionRecord,
  UserRecord,
} from "../../runtime/store/ports/index.ts";
import type {
  BeneficiaryRecord,
  CustomerRecord,
  LegalRepRecord,
  ShareHolderRecord,
} from "../../ledger/domain/records/parties.ts";
import * as engineTables from "../../runtime/store/tables/index.ts";
import * as bankTables from "../../ledger/tables/index.ts";
import {
  type Table,
  institutionById,
  sourceById,
  sourceByName,
  userByName,
  apiKeyById,
  deviceKeyById,
  registrationOf,
  subscriptionById,
  events,
  eventById,
  deliveries,
  deliveryById,
  deliveryListing,
  deliveryAttempts,
  allServiceKeys,
  answerByHash,
} from "../../runtime/store/tables/index.ts";
import { insertSubscription, replaceSubscription } from "../../ledger/books/subscriptions.ts";
import * as sent from "./delivery-samples.ts";
import * as samples from "./samples.ts";
import {
  customerById,
  legalRepById,
  shareHolderById,
  beneficiaryById,
  categoryByName,
  accountById,
  accountByNumber,
  transactionById,
  transactionByReference,
} from "../../ledger/tables/index.ts";
import { lastAttemptsOf } from "../../runtime/events/model/stored-deliveries.ts";

const tables = { ...engineTables, ...bankTables };

/** One collection, with records for everything that can be done to it. */
export interface Collection {
  readonly name: string;
  /** Every field present. */
  readonly full: SampleRecord;
  /** The same identifier, optional fields absent and the others changed; absent where records never change. */
  readonly changed?: SampleRecord;
  /** As `full`, with one field as in `changed`; none where records never change. */
  readonly changedInOne: readonly SampleRecord[];
  /** Records that differ but take something unique of `full`'s. */
  readonly rivals: readonly SampleRecord[];
}

/** A record and what a test does with it. */
interface SampleRecord {
  readonly record: object;
  insert(tx: Writes): Promise<void>;
  replace(tx: Writes): Promise<void>;
  /** Puts it in the place of `full`, which the transaction has found. */
  replaceFound(tx: Writes): Promise<void>;
  /** Finds it in each way there is. */
  readonly finds: readonly Find[];
  /** Looks for it in another institution; none where its key is unique over all. */
  readonly findsElsewhere: readonly Find[];
}

type Find = (view: Reads) => Promise<unknown>;

interface Spec<R extends object> {
  readonly full: R;
  readonly changed?: R;
  readonly rivals?: readonly R[];
  readonly collection: (tx: Writes) => {
    readonly insert: (record: R) => Promise<void>;
    readonly replace?: (record: R, before?: R) => Promise<void>;
  };
  readonly finds: readonly ((view: Reads, record: R) => Promise<R | undefined>)[];
  readonly elsewhere?: R;
}

function collection<R extends object>(name: string, spec: Spec<R>): Collection {
  const { full, changed, rivals = [] } = spec;
  return {
    name,
    full: sample(full),
    ...(changed !== undefined && { changed: sample(changed) }),
    changedInOne: changed === undefined ? [] : withOneChange(full, changed).map(sample),
    rivals: rivals.map(sample),
  };

  function sample(record: R): SampleRecord {
    const finding = (key: R): readonly Find[] => spec.finds.map((find) => (view) => find(view, key));
    return {
      record,
      insert: (tx) => spec.collection(tx).insert(record),
      replace: async (tx) => spec.collection(tx).replace?.(record),
      replaceFound: async (tx) => spec.collection(tx).replace?.(record, full),
      finds: finding(record),
      findsElsewhere: spec.elsewhere === undefined ? [] : finding(spec.elsewhere),
    };
  }
}

/** How records of a table are inserted and replaced. */
function kept<R>(table: Table<R>): Spec<R & object>["collection"] {
  return (tx) => ({
    insert: (record) => tx.insert(table, record),
    replace: (record, before) => tx.replace(table, record, before),
  });
}

/** For each field that differs, the record with that one changed. */
function withOneChange<R extends object>(full: R, changed: R): readonly R[] {
  const names = new Set([...Object.keys(full), ...Object.keys(changed)]);
  return [...names].map((name) => {
    const one = { ...full };
    if (Object.hasOwn(changed, name)) Reflect.set(one, name, Reflect.get(changed, name));
    else Reflect.deleteProperty(one, name);
    return one;
  });
}

const { bank, otherBank } = samples;
const { subscription } = sent;
const customer = { ...samples.customer, id: "customer-2" };
const legalRep = { ...samples.legalRep, id: "rep-2" };
const account = { ...samples.account, id: "account-2", number: "2", parentId: samples.account.id };
const custodial = { ...account, custodialCustomerId: samples.customer.id, custodialType: "NOMINEE" };
const user = { ...samples.user, userName: "user-2" };
const category = { id: "category-1", institutionId: bank.id, name: "GOLD", description: "d", createdAt: 1 };
const source = {
  id: "source-1",
  institutionId: bank.id,
  source: "CORE",
  events: [{ name: "Account.NEW", description: "New account" }],
  keyIds: ["key-1"],
  createdAt: 1,
  updatedAt: 2,
};
const apiKey = {
  id: "key-1",
  userName: samples.user.userName,
  hash: "cd".repeat(32),
  createdAt: 1,
  expiresAt: 2,
  revokedAt: 3,
};
const deviceKey = {
  keyId: "device-1",
  userName: samples.user.userName,
  publicKeyPem: "-----BEGIN PUBLIC KEY-----\n",
  status: "ACTIVE",
  fingerprintJson: `{"Area":"x"}`,
  createdAt: 1,
  revokedAt: 3,
} as const;
const registration = {
  otpToken: "0".repeat(32),
  userName: samples.user.userName,
  otpHash: "ef".repeat(32),
  failures: 1,
  expiresAt: 2,
  usedAt: 3,
  createdAt: 1,
};

function without<R extends object, Field extends keyof R>(record: R, ...fields: Field[]): Omit<R, Field> {
  const rest = { ...record };
  for (const field of fields) Reflect.deleteProperty(rest, field);
  return rest;
}

export const collections: readonly Collection[] = [
  collection<InstitutionRecord>("institutions", {
    full: { id: "121000248", name: "Third" },
    collection: kept(tables.institutions),
    finds: [(view, { id }) => view.one(institutionById, id)],
  }),
  collection<CustomerRecord>("customers", {
    full: customer,
    changed: {
      ...without(
        customer,
        "dateEstablished",
        "generalBusinessDescription",
        "monthlyProjection",
        "dateOfBirth",
      ),
      type: "CONSUMER",
      name: "Other",
      identification: [],
      contact: {},
      address: {},
      createdAt: 0,
      updatedAt: 9,
    },
    collection: kept(tables.customers),
    finds: [(view, { institutionId, id }) => view.one(customerById, institutionId, id)],
    elsewhere: { ...customer, institutionId: otherBank.id },
  }),
  collection<CustomerRecord>("customers without an amount in their projection", {
    full: { ...customer, monthlyProjection: { currency: "USD" } },
    collection: kept(tables.customers),
    finds: [(view, { institutionId, id }) => view.one(customerById, institutionId, id)],
  }),
  collection<LegalRepRecord>("legalReps", {
    full: legalRep,
    changed: { ...without(legalRep, "phoneNumber"), name: "B", email: "b", status: "INACTIVE", updatedAt: 9 },
    collection: kept(tables.legalReps),
    finds: [(view, { institutionId, id }) => view.one(legalRepById, institutionId, id)],
    elsewhere: { ...legalRep, institutionId: otherBank.id },
  }),
  collection<ShareHolderRecord>("shareHolders", {
    full: samples.shareHolder,
    changed: {
      ...without(samples.shareHolder, "ownershipPercent", "dateOfBirth"),
      name: "B",
      contact: { email: "b", phoneNumber: "1" },
      address: { city: "b" },
      status: "DISABLED",
      updatedAt: 9,
    },
    collection: kept(tables.shareHolders),
    finds: [(view, { institutionId, id }) => view.one(shareHolderById, institutionId, id)],
    elsewhere: { ...samples.shareHolder, institutionId: otherBank.id },
  }),
  collection<BeneficiaryRecord>("beneficiaries", {
    full: samples.beneficiary,
    changed: {
      ...without(samples.beneficiary, "usCorrespondentBankId", "channel"),
      contact: { email: "x" },
      bankAddress: {},
      bankDetail: {},
      status: "DISABLED",
      updatedAt: 9,
    },
    collection: kept(tables.beneficiaries),
    finds: [(view, { institutionId, id }) => view.one(beneficiaryById, institutionId, id)],
    elsewhere: { ...samples.beneficiary, institutionId: otherBank.id },
  }),
  collection<CategoryRecord>("categories", {
    full: category,
    rivals: [{ ...category, id: "category-2" }],
    collection: kept(tables.categories),
    finds: [(view, { institutionId, name }) => view.one(categoryByName, institutionId, name)],
    elsewhere: { ...category, institutionId: otherBank.id },
  }),
  collection<SourceRecord>("sources", {
    full: source,
    rivals: [{ ...source, id: "source-2" }],
    collection: kept(tables.sources),
    finds: [
      (view, { institutionId, id }) => view.one(sourceById, institutionId, id),
      (view, record) => view.one(sourceByName, record.institutionId, record.source),
    ],
    elsewhere: { ...source, institutionId: otherBank.id },
  }),
  collection<AccountRecord>("accounts", {
    full: custodial,
    changed: {
      ...without(custodial, "parentId", "custodialCustomerId", "custodialType"),
      name: "B",
      nickName: "nick",
      type: "GL",
      status: "CLOSED",
      category: "GOLD",
      currency: "JPY",
      holdMinor: -(2n ** 63n) + 1n,
      preAuthMinor: 2n ** 63n - 1n,
      minimumMinor: 0n,
      tags: [],
      final: true,
      legalRepIds: [],
      address: {},
      verified: false,
      minimumRouteApprovers: 0,
      newRouteAlert: true,
      accountFinderSync: false,
      glVerified: true,
      shadow: true,
      sweep: false,
      demandDeposit: false,
      externalLedger: true,
      updatedAt: 2 ** 53 - 1,
    },
    rivals: [{ ...custodial, id: "account-3" }],
    collection: kept(tables.accounts),
    finds: [
      (view, { institutionId, id }) => view.one(accountById, institutionId, id),
      (view, { institutionId, number }) => view.one(accountByNumber, institutionId, number),
    ],
    elsewhere: { ...custodial, institutionId: otherBank.id },
  }),
  collection<TransactionRecord>("transactions", {
    full: samples.transaction,
    changed: { ...samples.transaction, status: "COMPLETED", updatedAt: 9, documentJson: "{}" },
    rivals: [{ ...samples.transaction, id: "transaction-2" }],
    collection: kept(tables.transactions),
    finds: [
      (view, { institutionId, id }) => view.one(transactionById, institutionId, id),
      (view, record) => view.one(transactionByReference, record.institutionId, record.referenceId),
    ],
    elsewhere: { ...samples.transaction, institutionId: otherBank.id },
  }),
  collection<UserRecord>("users", {
    full: user,
    changed: {
      ...without(user, "groups", "otpLockedUntil"),
      realm: "operator",
      scopes: [],
      otpFailures: 0,
      email: "b",
    },
    collection: kept(tables.users),
    finds: [(view, { userName }) => view.one(userByName, userName)],
  }),
  collection<ApiKeyRecord>("apiKeys", {
    full: apiKey,
    changed: { ...without(apiKey, "expiresAt", "revokedAt"), hash: "00" },
    collection: kept(tables.apiKeys),
    finds: [(view, { id }) => view.one(apiKeyById, id)],
  }),
  collection<DeviceKeyRecord>("deviceKeys", {
    full: deviceKey,
    changed: { ...without(deviceKey, "publicKeyPem", "fingerprintJson", "revokedAt"), status: "PENDING" },
    collection: kept(tables.deviceKeys),
    finds: [(view, { keyId }) => view.one(deviceKeyById, keyId)],
  }),
  collection<RegistrationRecord>("registrations", {
    full: registration,
    changed: { ...without(registration, "usedAt"), failures: 5 },
    collection: kept(tables.registrations),
    finds: [(view, { otpToken }) => registrationOf(view, otpToken)],
  }),
  collection<SubscriptionRecord>("subscriptions", {
    full: subscription,
    changed: {
      ...without(
        subscription,
        "remarks",
        "formerSecretSealed",
        "formerSecretUntil",
        "disabledReason",
        "disabledAt",
      ),
      enabled: false,
      ordered: false,
      events: [],
      groupId: [],
      updatedAt: 9,
    },
    collection: (tx) => ({
      insert: (record) => insertSubscription(tx, record),
      replace: (record, before) => replaceSubscription(tx, record, before),
    }),
    finds: [(view, { institutionId, id }) => view.one(subscriptionById, institutionId, id)],
    elsewhere: { ...subscription, institutionId: otherBank.id },
  }),
  collection<EventRecord>("events", {
    full: sent.event,
    collection: (tx) => ({ insert: async (record) => tx.insert(events, record) }),
    finds: [(view, { id }) => view.one(eventById, id)],
  }),
  collection<DeliveryRecord>("deliveries", {
    full: sent.delivery,
    rivals: [{ ...sent.delivery, id: "delivery-2" }],
    collection: (tx) => ({
      insert: async (record) => {
        if ((await tx.one(eventById, sent.event.id)) === undefined) await tx.insert(events, sent.event);
        await tx.insert(deliveries, record);
      },
    }),
    finds: [
      (view, { institutionId, id }) => view.one(deliveryById, institutionId, id),
      async (view, { institutionId }) => (await view.page(deliveryListing({ institutionId, limit: 2 })))[0],
    ],
    elsewhere: { ...sent.delivery, institutionId: otherBank.id },
  }),
  collection<DeliveryRecord>("deliveries of test events, without optional fields", {
    full: {
      ...without(sent.delivery, "dueAt", "claimedBy", "orderingKey", "diedAt", "deliveredAt"),
      state: "CANCELLED",
      topics: [],
    },
    collection: (tx) => ({
      insert: async (record) => {
        if ((await tx.one(eventById, sent.event.id)) === undefined) await tx.insert(events, sent.event);
        await tx.insert(deliveries, record);
      },
    }),
    finds: [(view, { institutionId, id }) => view.one(deliveryById, institutionId, id)],
  }),
  collection<DeliveryAttemptRecord>("deliveryAttempts", {
    full: sent.attempt,
    collection: (tx) => ({
      insert: async (record) => {
        if ((await tx.one(deliveryById, bank.id, sent.delivery.id)) === undefined) {
          await tx.insert(events, sent.event);
          await tx.insert(deliveries, sent.delivery);
        }
        await tx.insert(deliveryAttempts, record);
      },
    }),
    finds: [async (view, { deliveryId }) => (await lastAttemptsOf(view, deliveryId))[0]],
  }),
  collection<ServiceKeyRecord>("serviceKeys", {
    full: sent.serviceKey,
    changed: { ...without(sent.serviceKey, "retiredAt"), algorithm: "ES256", createdAt: 9 },
    collection: kept(tables.serviceKeys),
    finds: [async (view) => (await view.many(allServiceKeys))[0]],
  }),
  collection<AnswerRecord>("answers", {
    full: { requestHash: "aa".repeat(32), resultJson: `{"a":1}`, createdAt: 5 },
    collection: kept(tables.answers),
    finds: [(view, { requestHash }) => view.one(answerByHash, requestHash)],
  }),
];
