import type { AuditDraft, ChainRootRecord } from "../domain/records/audit.ts";
import type {
  CancellationRecord,
  DeliveryAttemptRecord,
  DeliveryRecord,
  EndpointHealthRecord,
  EventRecord,
  EventSequenceRecord,
  FullLaneRecord,
  LaneEventRecord,
  ServiceKeyRecord,
} from "../domain/records/deliveries.ts";
import type {
  AccountRecord,
  AnswerRecord,
  ApiKeyRecord,
  BeneficiaryRecord,
  CategoryRecord,
  CustomerRecord,
  DeviceKeyRecord,
  InstitutionRecord,
  KeyUseRecord,
  LegalRepRecord,
  MailAttemptRecord,
  MailKind,
  NonceRecord,
  OutboxEventRecord,
  OutboxMailRecord,
  PortalLoginRecord,
  PostingRecord,
  RegistrationRecord,
  ShareHolderRecord,
  SourceRecord,
  SubscriptionRecord,
  SubscriptionTarget,
  TransactionRecord,
  UserRecord,
} from "../domain/records.ts";
import type { StoreView } from "./store-view.ts";
import type { UnavailableReason } from "./unavailable.ts";
import type { LedgerVerification, VerifyOptions } from "./verification.ts";

export type * from "./store-view.ts";
export type * from "./store-queries.ts";
export * from "./store-errors.ts";

/**
 * Where everything is kept. Asynchronous, so that an adapter may group concurrent transactions into one commit or
 * talk to a server; holds nothing that PostgreSQL cannot do. Every adapter passes `test/store-contract`.
 */
export interface Store {
  /** Runs `work` over one consistent view: no commit that was answered before is missing. */
  read<T>(work: (view: StoreView) => Promise<T>): Promise<T>;
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

export interface TransactOptions {
  /**
   * `work` changes only deliveries that it claims or holds the claim of, and what it locks by reading: `deliveries.due`
   * passes over what another transaction claims, `deliveries.openOf` and each `findForChange` wait for it. Everything else that it
   * reads may be out of date when it commits. An adapter then runs several at once that would meet otherwise.
   */
  readonly isClaim?: boolean;
  /**
   * The changes of `work` are made again if it is lost, from what was durable before. So an adapter may resolve before
   * the commit is on the disk: it survives the end of the process, at any moment, but perhaps not a loss of power. What
   * a loss of power takes is always the latest commits, never one from before another that is kept.
   */
  readonly isRepeatable?: boolean;
}

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

/**
 * Replaces the record with the same identifier. Throws if there is none: callers found it before. `before` is what they
 * found, in the same transaction: what is costly to write and stays as it was is left alone.
 */
export interface Replacer<R> {
  replace(record: R, before?: R): Promise<void>;
}

/** The queries and changes of a transaction. Reads see its own writes. */
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
      /** Changes some fields of several, by identifier, in one statement. */
      changeAll(
        institutionId: string,
        ids: readonly string[],
        changes: Partial<Omit<SubscriptionTarget, "id" | "institutionId">>,
      ): Promise<void>;
      /** With its sequences and its health; its deliveries stay. */
      remove(institutionId: string, id: string): Promise<void>;
    };
  readonly outboxEvents: StoreView["outboxEvents"] &
    Inserter<OutboxEventRecord> & {
      /** Removes the oldest ones and gives them, the oldest first; none while another transaction does. */
      take(limit: number): Promise<readonly OutboxEventRecord[]>;
    };
  readonly events: StoreView["events"] &
    BulkInserter<EventRecord> & {
      /** Removes it unless it has a delivery, or waits in a lane. */
      removeUnused(id: string): Promise<void>;
    };
  readonly laneEvents: StoreView["laneEvents"] &
    BulkInserter<LaneEventRecord> & {
      /** Subscriptions up to this one have their deliveries. */
      advance(event: LaneEventRecord, afterSubscriptionId: string): Promise<void>;
      remove(event: LaneEventRecord): Promise<void>;
    };
  readonly cancellations: StoreView["cancellations"] & {
    /** Replaces those of the subscriptions, if any. */
    putAll(records: readonly CancellationRecord[]): Promise<void>;
    /** One that no other transaction holds, and holds it. */
    next(): Promise<CancellationRecord | undefined>;
    remove(subscriptionId: string): Promise<void>;
  };
  readonly fullLanes: StoreView["fullLanes"] & { put(record: FullLaneRecord): Promise<void> };
  /** `putAll` replaces the records with the same keys, if any. */
  readonly eventSequences: StoreView["eventSequences"] & {
    putAll(records: readonly EventSequenceRecord[]): Promise<void>;
    /** As `endpointHealth.findForChange`. */
    findForChange(subscriptionId: string, topic: string): Promise<EventSequenceRecord | undefined>;
  };
  readonly deliveries: StoreView["deliveries"] &
    BulkInserter<DeliveryRecord> & {
      change(id: string, changes: Changes<DeliveryRecord>): Promise<void>;
      /** Changes some, by identifier. */
      changeAll(ids: readonly string[], changes: Changes<DeliveryRecord>): Promise<void>;
      /** Changes those whose claims still hold, and says of each whether it did. */
      changeClaimed(all: readonly ClaimedChange[]): Promise<readonly boolean[]>;
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
    Inserter<OutboxMailRecord> & {
      change(id: string, changes: Changes<OutboxMailRecord>): Promise<void>;
      /** Changes it if its claim still holds, and says whether it did. */
      changeClaimed(change: ClaimedChange<OutboxMailRecord>): Promise<boolean>;
      /** Makes every claimed mail due, whichever process claimed it: for a single process, when it starts. */
      releaseClaims(now: number): Promise<number>;
      /** With its attempts. Does nothing where there is none. */
      remove(id: string): Promise<void>;
      /** Those of a kind that were not sent yet. */
      removeOfLegalRep(institutionId: string, legalRepId: string, kind: MailKind): Promise<void>;
    };
  readonly mailAttempts: StoreView["mailAttempts"] &
    Inserter<MailAttemptRecord> & {
      /** Removes a mail's attempts up to a number. */
      removeUpTo(mailId: string, number: number): Promise<void>;
    };
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

/**
 * Changes to one delivery or mail, applied only if `claimedBy` still holds its claim, and no attempt was recorded since. A process
 * whose claim ended unnoticed, because the clock was set ahead or the machine slept, may have claimed the delivery again.
 */
export interface ClaimedChange<R = DeliveryRecord> {
  readonly id: string;
  readonly claimedBy: string;
  /** How many there had been when it was claimed. */
  readonly attempts: number;
  readonly changes: Changes<R>;
}
