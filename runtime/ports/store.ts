import type {
  DeliveryAttemptRecord,
  DeliveryRecord,
  DeliveryState,
  EndpointHealthRecord,
  EventRecord,
  EventSequenceRecord,
  ServiceKeyRecord,
} from "../domain/delivery-records.ts";
import type {
  AccountRecord,
  AnswerRecord,
  ApiKeyRecord,
  BeneficiaryRecord,
  CategoryRecord,
  ChainedPostingRecord,
  CustomerRecord,
  DeviceKeyRecord,
  InstitutionRecord,
  KeyUseRecord,
  LegalRepRecord,
  NonceRecord,
  OutboxEventRecord,
  OutboxMailRecord,
  PortalLoginRecord,
  PostingRecord,
  RegistrationRecord,
  ShareHolderRecord,
  SourceRecord,
  SubscriptionAccountRecord,
  SubscriptionRecord,
  TransactionRecord,
  UserRecord,
} from "../domain/records.ts";
import type { LedgerVerification, VerifyOptions } from "./verification.ts";
import type { AccountCondition } from "../domain/account-condition.ts";
import type { AuditDraft, AuditRecord, ChainRootRecord } from "../domain/audit-records.ts";
import type { AuditQuery } from "./audit.ts";
import type { UnavailableReason } from "./unavailable.ts";

/**
 * Where everything is kept. Asynchronous, so that an adapter may group concurrent transactions into one commit or
 * talk to a server; holds nothing that PostgreSQL cannot do. Every adapter passes `test/store-contract`.
 */
export interface Store {
  /** Runs `work` over one consistent view: no commit that was answered before is missing. */
  read<T>(work: (view: StoreView) => Promise<T>, about?: Concern): Promise<T>;
  /**
   * Runs `work` and commits all of it or nothing. Resolves when the commit is durable; rejects with whatever `work`
   * threw, after rolling back. Transactions may run at the same time, in this process and in others, but their outcome
   * is one that they could have had one after the other: what `work` read is still so when it commits, also that
   * something was absent. An adapter may run `work` again to bring that about, so `work` touches nothing but the
   * transaction. After any error of a write but a `DuplicateRecordError` of one record, the transaction takes nothing
   * more. `test/store-contract/concurrency.ts` has a case for each of these promises.
   */
  transact<T>(work: (tx: StoreTransaction) => Promise<T>, options?: TransactOptions): Promise<T>;
  /** Finds whatever of the books does not agree. Reads all of them, and holds up the process meanwhile. */
  verify(options?: VerifyOptions): Promise<LedgerVerification>;
  /** Resolves if the store can be read and, where it is open for writing, written; else rejects, saying why not. */
  ping(): Promise<void>;
  /** How it was when it was last used. */
  health(): StoreHealth;
  close(): Promise<void>;
}

/** Whether a store does its work, and if not, why not and since when. */
export type StoreHealth =
  | { readonly kind: "well" }
  | { readonly kind: "failing"; readonly reason: UnavailableReason; readonly sinceMs: number };

/**
 * Whose data a piece of work is about: a store over several databases goes to the one that has it. Absent: work of the
 * service's own, over one database.
 */
export type Concern = { readonly institutionId: string } | { readonly userName: string };

export interface TransactOptions {
  /**
   * `work` changes only deliveries that it claims or holds the claim of, and what it locks by reading: `deliveries.due`
   * passes over what another transaction claims, `endpointHealth.findForChange` waits for it. Everything else that it reads may be
   * out of date when it commits. An adapter then runs several at once that would meet otherwise.
   */
  readonly isClaim?: boolean;
  readonly about?: Concern;
  /**
   * What `work` does is done again if it is lost, from what was durable before. So an adapter may resolve before the
   * commit is on the disk: it survives the end of the process, at any moment, but perhaps not a loss of power. What a
   * loss of power takes is always the latest commits, never one from before another that is kept.
   */
  readonly isRepeatable?: boolean;
}

/** Looks a record up by its identifier, within one institution. */
export interface Finder<R> {
  find(institutionId: string, id: string): Promise<R | undefined>;
}

/** What can be asked. */
export interface StoreView {
  readonly institutions: {
    find(id: string): Promise<InstitutionRecord | undefined>;
    /** All, by identifier. */
    list(): Promise<readonly InstitutionRecord[]>;
  };
  readonly customers: Finder<CustomerRecord> & {
    /** A page by identifier; `after` is the last one of the page before. */
    list(institutionId: string, limit: number, after?: string): Promise<readonly CustomerRecord[]>;
  };
  readonly legalReps: Finder<LegalRepRecord> & {
    /** In the order of `ids`; unknown ones are left out. */
    findMany(institutionId: string, ids: readonly string[]): Promise<readonly LegalRepRecord[]>;
  };
  readonly shareHolders: Finder<ShareHolderRecord>;
  readonly beneficiaries: Finder<BeneficiaryRecord> & {
    /** Of one account and one legal representative, by creation, then id: the first so many. */
    list(
      institutionId: string,
      accountId: string,
      legalRepId: string,
      limit: number,
    ): Promise<readonly BeneficiaryRecord[]>;
  };
  readonly categories: {
    findByName(institutionId: string, name: string): Promise<CategoryRecord | undefined>;
  };
  readonly sources: Finder<SourceRecord> & {
    findBySource(institutionId: string, source: string): Promise<SourceRecord | undefined>;
  };
  readonly accounts: Finder<AccountRecord> & {
    findByNumber(institutionId: string, number: string): Promise<AccountRecord | undefined>;
    /**
     * A page by creation, then id. It shows one state, its own: that of the view or of a later commit. Rejects with a
     * `TooManyRowsError` where finding the page would take looking at more rows than one question may, and with a
     * `StoreBusyError` where too much else is being asked.
     */
    list(query: AccountQuery): Promise<readonly AccountListing[]>;
  };
  readonly transactions: Finder<TransactionRecord> & {
    findByReference(institutionId: string, referenceId: string): Promise<TransactionRecord | undefined>;
    /**
     * A page of those that an account is a side of, by creation, then id. It shows a state as `accounts.list` does, and
     * rejects with a `StoreBusyError` where too much else is being asked.
     */
    list(query: TransactionQuery): Promise<readonly TransactionRecord[]>;
    /** Whether one that is PENDING would credit the account. Its debtor has a hold. */
    hasPendingCredit(institutionId: string, accountId: string): Promise<boolean>;
  };
  readonly postings: {
    /** By identifier. */
    ofTransaction(institutionId: string, transactionId: string): Promise<readonly ChainedPostingRecord[]>;
  };
  readonly audit: {
    /** A page, the newest first; with `after`, the oldest first. */
    list(query: AuditQuery): Promise<readonly AuditRecord[]>;
    /** Of all institutions, those after a sequence, the oldest first. */
    after(sequence: number, limit: number): Promise<readonly AuditRecord[]>;
  };
  readonly chainRoots: {
    /** The one over the most entries. */
    latest(): Promise<ChainRootRecord | undefined>;
  };
  readonly users: {
    find(userName: string): Promise<UserRecord | undefined>;
    /** A page of the users of one interface, by name; `after` is the last one of the page before. */
    list(institutionId: string, realm: string, limit: number, after?: string): Promise<readonly UserRecord[]>;
  };
  readonly apiKeys: {
    find(id: string): Promise<ApiKeyRecord | undefined>;
    /** All keys of a user, revoked and expired ones too. */
    ofUser(userName: string): Promise<readonly ApiKeyRecord[]>;
  };
  readonly deviceKeys: {
    find(keyId: string): Promise<DeviceKeyRecord | undefined>;
    /** All keys of a user, revoked ones too, by creation. */
    ofUser(userName: string): Promise<readonly DeviceKeyRecord[]>;
  };
  /** In any order. */
  readonly keyUses: { ofUser(userName: string): Promise<readonly KeyUseRecord[]> };
  readonly registrations: { find(otpToken: string): Promise<RegistrationRecord | undefined> };
  /** By legal representative. */
  readonly portalLogins: Finder<PortalLoginRecord>;
  readonly subscriptions: Finder<SubscriptionRecord> & {
    /** A page by creation, then id; `after` is the last one of the page before. */
    list(institutionId: string, limit: number, after?: PageCursor): Promise<readonly SubscriptionRecord[]>;
    /** All of a user, by creation, then id. */
    ofUser(institutionId: string, userName: string): Promise<readonly SubscriptionRecord[]>;
    /** A page of a user's, by creation, then id; `after` is the last one of the page before. */
    listOfUser(
      institutionId: string,
      userName: string,
      limit: number,
      after?: PageCursor,
    ): Promise<readonly SubscriptionRecord[]>;
  };
  readonly subscriptionAccounts: {
    /** Subscriptions that hold one of the account numbers, by subscription. */
    ofNumbers(
      institutionId: string,
      accountNumbers: readonly string[],
    ): Promise<readonly SubscriptionAccountRecord[]>;
    /** Subscriptions that hold a number of any of the customer's accounts. */
    ofCustomer(institutionId: string, customerId: string): Promise<readonly SubscriptionAccountRecord[]>;
  };
  readonly outboxEvents: {
    /** Oldest first. */
    list(limit: number): Promise<readonly OutboxEventRecord[]>;
  };
  readonly events: { find(id: string): Promise<EventRecord | undefined> };
  readonly eventSequences: {
    /** Of those accounts that have one. */
    ofNumbers(
      subscriptionId: string,
      accountNumbers: readonly string[],
    ): Promise<readonly EventSequenceRecord[]>;
  };
  readonly deliveries: Finder<DeliveryRecord> & {
    /** A page, the newest first. */
    list(query: DeliveryQuery): Promise<readonly DeliveryRecord[]>;
    /** PENDING ones of a subscription that are due and neither claimed nor being claimed, the longest due first. */
    due(subscriptionId: string, now: number, limit: number): Promise<readonly DeliveryRecord[]>;
    /** The PENDING one that is due first, of the subscription whose identifier follows this one; "" precedes all. */
    nextDue(subscriptionId: string): Promise<DeliveryRecord | undefined>;
    /** The lowest sequence that is still to come among those with the ordering key. */
    firstInOrder(subscriptionId: string, orderingKey: string): Promise<DeliveryRecord | undefined>;
    /** How many there are, of all institutions: no more than a million are counted, as by the other counts. */
    countOpen(state: OpenState): Promise<number>;
    /** The one created first, of all institutions. */
    oldestOpen(state: OpenState): Promise<DeliveryRecord | undefined>;
    /** How many of a subscription there are. */
    countOf(subscriptionId: string, state: OpenState): Promise<number>;
    /** How many dead letters there are, of all institutions. */
    countDead(): Promise<number>;
    /** Created before `time`, the oldest first. */
    finishedBefore(
      institutionId: string,
      state: "DELIVERED" | "CANCELLED",
      time: number,
      limit: number,
    ): Promise<readonly DeliveryRecord[]>;
  };
  readonly deliveryAttempts: {
    /** By number. */
    of(deliveryId: string): Promise<readonly DeliveryAttemptRecord[]>;
  };
  readonly endpointHealth: {
    find(subscriptionId: string): Promise<EndpointHealthRecord | undefined>;
    /** Endpoints whose review is due by `time`, the longest due first. */
    dueForReview(time: number, limit: number): Promise<readonly EndpointHealthRecord[]>;
  };
  /** All of them, by creation. */
  readonly serviceKeys: { list(): Promise<readonly ServiceKeyRecord[]> };
  readonly outboxMails: {
    /** Due by `now`, oldest first. */
    due(now: number, limit: number): Promise<readonly OutboxMailRecord[]>;
  };
  readonly answers: { find(requestHash: string): Promise<AnswerRecord | undefined> };
  readonly nonces: {
    /** How many of an owner expire after `time`. */
    countOf(owner: string, time: number): Promise<number>;
  };
}

/** Where a page ended. */
export interface PageCursor {
  readonly createdAt: number;
  readonly id: string;
}

/** States of a delivery that is not finished. */
export type OpenState = "PENDING" | "WAITING" | "HELD";

/** New values of some fields; `undefined` makes a field absent. */
export type Changes<R> = { readonly [Field in keyof R]?: R[Field] | undefined };

/** Adds a record. Throws `DuplicateRecordError` if its identifier or a unique field is taken. */
export interface Inserter<R> {
  insert(record: R): Promise<void>;
}

/** Adds many records at once, or none: throws as `Inserter` does, and the transaction has to be given up. */
export interface BulkInserter<R> {
  insertAll(records: readonly R[]): Promise<void>;
}

/** Replaces the record with the same identifier. Throws if there is none: callers found it before. */
export interface Replacer<R> {
  replace(record: R): Promise<void>;
}

/** What can be asked and changed. Reads see the transaction's own writes. */
export interface StoreTransaction extends StoreView {
  readonly institutions: StoreView["institutions"] & Inserter<InstitutionRecord>;
  readonly customers: StoreView["customers"] & Inserter<CustomerRecord> & Replacer<CustomerRecord>;
  readonly legalReps: StoreView["legalReps"] & Inserter<LegalRepRecord> & Replacer<LegalRepRecord>;
  readonly shareHolders: StoreView["shareHolders"] &
    Inserter<ShareHolderRecord> &
    Replacer<ShareHolderRecord>;
  readonly beneficiaries: StoreView["beneficiaries"] &
    Inserter<BeneficiaryRecord> &
    Replacer<BeneficiaryRecord>;
  readonly categories: StoreView["categories"] & Inserter<CategoryRecord>;
  readonly sources: StoreView["sources"] & Inserter<SourceRecord>;
  /** `replace` never changes `ledgerMinor`: only postings do. */
  readonly accounts: StoreView["accounts"] & Inserter<AccountRecord> & Replacer<AccountRecord>;
  readonly transactions: StoreView["transactions"] &
    Inserter<TransactionRecord> &
    Replacer<TransactionRecord>;
  /**
   * Appends the postings of one transaction to the chains of their accounts, and moves the accounts' `ledgerMinor` by
   * them. Throws if they do not sum to zero in every currency, or if a posting's currency is not its account's.
   */
  readonly postings: StoreView["postings"] & { append(postings: readonly PostingRecord[]): Promise<void> };
  /** Appends an entry to the chain of its subject. Nothing changes or removes one. */
  readonly audit: StoreView["audit"] & { append(draft: AuditDraft): Promise<void> };
  readonly chainRoots: StoreView["chainRoots"] & Inserter<ChainRootRecord>;
  readonly users: StoreView["users"] & Inserter<UserRecord> & Replacer<UserRecord>;
  readonly apiKeys: StoreView["apiKeys"] & Inserter<ApiKeyRecord> & Replacer<ApiKeyRecord>;
  readonly deviceKeys: StoreView["deviceKeys"] & Inserter<DeviceKeyRecord> & Replacer<DeviceKeyRecord>;
  /** `putAll` replaces the records of the same keys, if any. */
  readonly keyUses: StoreView["keyUses"] & { putAll(records: readonly KeyUseRecord[]): Promise<void> };
  readonly registrations: StoreView["registrations"] &
    Inserter<RegistrationRecord> &
    Replacer<RegistrationRecord>;
  /** `put` replaces the representative's former login, if any. */
  readonly portalLogins: StoreView["portalLogins"] & {
    put(record: PortalLoginRecord): Promise<void>;
    /** Does nothing where there is none. */
    remove(institutionId: string, legalRepId: string): Promise<void>;
  };
  readonly subscriptions: StoreView["subscriptions"] &
    Inserter<SubscriptionRecord> &
    Replacer<SubscriptionRecord> & {
      /** With its sequences and its health; its deliveries stay. */
      remove(institutionId: string, id: string): Promise<void>;
    };
  readonly outboxEvents: StoreView["outboxEvents"] &
    Inserter<OutboxEventRecord> & {
      /** Removes the oldest ones and gives them, the oldest first; none while another transaction does. */
      take(limit: number): Promise<readonly OutboxEventRecord[]>;
    };
  readonly events: StoreView["events"] & BulkInserter<EventRecord>;
  /** `putAll` replaces the records with the same keys, if any. */
  readonly eventSequences: StoreView["eventSequences"] & {
    putAll(records: readonly EventSequenceRecord[]): Promise<void>;
  };
  readonly deliveries: StoreView["deliveries"] &
    BulkInserter<DeliveryRecord> & {
      change(id: string, changes: Changes<DeliveryRecord>): Promise<void>;
      /** Changes those whose claims still hold, and says of each whether it did. */
      changeClaimed(all: readonly ClaimedChange[]): Promise<readonly boolean[]>;
      /** Changes all of a subscription in a state, and says how many there were. */
      changeOpen(subscriptionId: string, state: OpenState, changes: Changes<DeliveryRecord>): Promise<number>;
      /** Makes every claimed delivery due, whichever process claimed it: for a single process, when it starts. */
      releaseClaims(now: number): Promise<number>;
      /** With its attempts, and with its event if that has no other delivery. */
      remove(delivery: Pick<DeliveryRecord, "id" | "eventId">): Promise<void>;
    };
  readonly deliveryAttempts: StoreView["deliveryAttempts"] & BulkInserter<DeliveryAttemptRecord>;
  /** `put` replaces the record with the same key, if any. */
  readonly endpointHealth: StoreView["endpointHealth"] &
    Inserter<EndpointHealthRecord> & {
      put(record: EndpointHealthRecord): Promise<void>;
      /** As `find`; other transactions that do the same wait until this one has ended. */
      findForChange(subscriptionId: string): Promise<EndpointHealthRecord | undefined>;
    };
  readonly serviceKeys: StoreView["serviceKeys"] &
    Inserter<ServiceKeyRecord> &
    Replacer<ServiceKeyRecord> & { remove(keyId: string): Promise<void> };
  readonly outboxMails: StoreView["outboxMails"] &
    Inserter<OutboxMailRecord> &
    Replacer<OutboxMailRecord> & { remove(id: string): Promise<void> };
  readonly answers: StoreView["answers"] &
    Inserter<AnswerRecord> & {
      /** Removes answers created before `time`, the oldest first, and says how many: at most `limit`. */
      removeBefore(time: number, limit: number): Promise<number>;
      remove(requestHash: string): Promise<void>;
    };
  readonly nonces: StoreView["nonces"] & {
    /** Whether it was free, and keeps it. One that expires no later than one that was removed is never free. */
    take(record: NonceRecord): Promise<boolean>;
    /** Removes some that have expired by `time`, the first to expire first, and says how many. */
    removeExpired(time: number, limit: number): Promise<number>;
  };
}

/** Changes to one delivery, applied only if `claimedBy` still holds its claim. */
export interface ClaimedChange {
  readonly id: string;
  readonly claimedBy: string;
  readonly changes: Changes<DeliveryRecord>;
}

/** Which deliveries to list. Absent members do not narrow. */
export interface DeliveryQuery {
  readonly institutionId: string;
  readonly subscriptionId?: string;
  readonly eventId?: string;
  readonly state?: DeliveryState;
  /** One of the notification's `groupId`. */
  readonly accountNumber?: string;
  /** Happened at or after. */
  readonly from?: number;
  /** Happened before. */
  readonly to?: number;
  /** Only what comes after this one in the list. */
  readonly after?: { readonly createdAt: number; readonly id: string };
  readonly limit: number;
}

export interface AccountQuery {
  readonly institutionId: string;
  /** The user who asks: a store serves users who ask at the same time in turns. Absent: no user. */
  readonly askedBy?: string;
  /** Absent: all customers of the institution. */
  readonly customerIds?: readonly string[];
  readonly condition?: AccountCondition;
  /** From 0. */
  readonly offset: number;
  readonly limit: number;
}

export interface TransactionQuery {
  readonly institutionId: string;
  /** As in `AccountQuery`. */
  readonly askedBy?: string;
  /** The account that the money leaves or reaches. */
  readonly accountId: string;
  /** Whose transactions; absent: those of all customers of the institution. */
  readonly customerIds?: readonly string[];
  /** From 0. */
  readonly offset: number;
  readonly limit: number;
}

/** The fields of an account that lists are filtered by and show: reading all of them would take twice the time. */
export type ListedAccount = Pick<
  AccountRecord,
  | "id"
  | "institutionId"
  | "customerId"
  | "name"
  | "number"
  | "type"
  | "status"
  | "category"
  | "currency"
  | "ledgerMinor"
  | "holdMinor"
  | "preAuthMinor"
  | "glAccount"
  | "verified"
  | "createdAt"
  | "updatedAt"
>;

/** What the summary of an account shows, with the names (section 2.2). */
export interface AccountListing {
  readonly account: ListedAccount;
  readonly customerName: string;
  readonly institutionName: string;
}

/** An identifier or unique field that is already taken. Handlers turn it into their method's own code. */
export class DuplicateRecordError extends Error {
  override readonly name = "DuplicateRecordError";
}

/** A question that would have looked at more rows than one may. The same question fails again; a narrower one may not. */
export class TooManyRowsError extends Error {
  override readonly name = "TooManyRowsError";
  readonly rowsMax: number;

  constructor(rowsMax: number) {
    super(`the question would look at more than ${rowsMax} rows (reads.rowsMax): narrow it`);
    this.rowsMax = rowsMax;
  }
}

/** The store has too much to do to answer now. The same question may be answered later. */
export class StoreBusyError extends Error {
  override readonly name = "StoreBusyError";
  readonly retryAfterSeconds = 1;
}

/** An institution is on its way to another database: for seconds, and the command that moves it tells. */
export class MovingError extends StoreBusyError {
  constructor() {
    super("an institution is being moved to another database: ask again in a second");
  }
}
