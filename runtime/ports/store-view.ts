import type { AuditRecord, ChainRootRecord } from "../domain/records/audit.ts";
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
  ChainedPostingRecord,
  CustomerRecord,
  DeviceKeyRecord,
  InstitutionRecord,
  KeyUseRecord,
  LegalRepRecord,
  MailAttemptRecord,
  MailState,
  OutboxEventRecord,
  OutboxMailRecord,
  PortalLoginRecord,
  RegistrationRecord,
  ShareHolderRecord,
  SourceRecord,
  SubscriptionTopicRecord,
  SubscriptionRecord,
  SubscriptionTarget,
  TransactionRecord,
  UserRecord,
} from "../domain/records.ts";
import type { AuditQuery } from "./audit.ts";
import type {
  AccountListing,
  AccountQuery,
  DeliveryQuery,
  FirstDue,
  MailQuery,
  OpenState,
  PageCursor,
  TransactionQuery,
} from "./store-queries.ts";

/** What subscriptions are asked for by: a topic, or the group that a topic belongs to. */
export interface Audience {
  readonly institutionId: string;
  readonly kind: "topic" | "group";
  readonly value: string;
}

/** Port: whom an event goes to, among the subscribers of its institution. Asked when the event is published. */
export type Recipients = (
  event: OutboxEventRecord,
  view: StoreView,
) => Promise<readonly Omit<Audience, "institutionId">[]>;

/** Looks a record up by its identifier, within one institution. */
export interface Finder<R> {
  find(institutionId: string, id: string): Promise<R | undefined>;
}

/** The queries of a store. */
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
    /** How many there are of one account and one legal representative. */
    count(institutionId: string, accountId: string, legalRepId: string): Promise<number>;
  };
  readonly categories: {
    findByName(institutionId: string, name: string): Promise<CategoryRecord | undefined>;
  };
  readonly sources: Finder<SourceRecord> & {
    findBySource(institutionId: string, source: string): Promise<SourceRecord | undefined>;
  };
  readonly accounts: Finder<AccountRecord> & {
    findByNumber(institutionId: string, number: string): Promise<AccountRecord | undefined>;
    /** In any order; unknown ones are left out. */
    findByNumbers(institutionId: string, numbers: readonly string[]): Promise<readonly AccountRecord[]>;
    /**
     * A page by creation, then id. It shows one state, its own: that of the view or of a later commit. Where it is the
     * first question, what is asked afterwards may show a later one, too. Rejects with a `TooManyRowsError` where finding
     * the page would take looking at more rows than one question may, and with a `StoreBusyError` where too much else is
     * being asked.
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
    /** The last 1,000 keys of a user, revoked and expired ones too, by creation. */
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
  readonly subscriptionTopics: {
    /** The lanes with a subscription for the audience, by name: the first so many. */
    lanes(audience: Audience, limit: number): Promise<readonly string[]>;
    /**
     * Subscriptions of a lane for the audience that follow `after` by identifier, each with its first topic; ""
     * precedes all.
     */
    inLane(
      audience: Audience,
      lane: string,
      after: string,
      limit: number,
    ): Promise<readonly SubscriptionTopicRecord[]>;
  };
  readonly subscriptionTargets: {
    /** How many a user has, up to 100,000. */
    countOfUser(institutionId: string, userName: string): Promise<number>;
    /** All of a user's, by creation, then id. */
    idsOfUser(institutionId: string, userName: string): Promise<readonly string[]>;
    /** In any order; unknown ones are left out. */
    find(institutionId: string, ids: readonly string[]): Promise<readonly SubscriptionTarget[]>;
  };
  readonly laneEvents: {
    /** The first event of each lane, of the lanes that follow `after` by name; "" precedes all. */
    heads(after: string, limit: number): Promise<readonly LaneEventRecord[]>;
    /** Of one lane, in order. */
    of(lane: string, limit: number): Promise<readonly LaneEventRecord[]>;
    /** The one with the greatest position in any lane. */
    last(): Promise<LaneEventRecord | undefined>;
    /** How many there are in an institution's lanes. */
    countOf(institutionId: string): Promise<number>;
    /** The one whose event happened first. */
    oldestOf(institutionId: string): Promise<LaneEventRecord | undefined>;
  };
  readonly cancellations: {
    find(subscriptionId: string): Promise<CancellationRecord | undefined>;
    /** Whether there is one. */
    areAny(): Promise<boolean>;
  };
  readonly fullLanes: {
    find(lane: string): Promise<FullLaneRecord | undefined>;
    /** How many of an institution's lanes are full. */
    countOf(institutionId: string): Promise<number>;
    /** The one that has been full for longest. */
    oldestOf(institutionId: string): Promise<FullLaneRecord | undefined>;
  };
  readonly outboxEvents: {
    /** Oldest first. */
    list(limit: number): Promise<readonly OutboxEventRecord[]>;
    /** How many an institution has. */
    countOf(institutionId: string): Promise<number>;
    oldestOf(institutionId: string): Promise<OutboxEventRecord | undefined>;
  };
  readonly events: {
    find(id: string): Promise<EventRecord | undefined>;
    /** In any order; unknown ones are left out. */
    findMany(ids: readonly string[]): Promise<readonly EventRecord[]>;
  };
  readonly eventSequences: {
    /** Of those topics that have one. */
    ofTopics(subscriptionId: string, topics: readonly string[]): Promise<readonly EventSequenceRecord[]>;
  };
  readonly deliveries: Finder<DeliveryRecord> & {
    /** A page, the newest first. */
    list(query: DeliveryQuery): Promise<readonly DeliveryRecord[]>;
    /** PENDING ones of a subscription that are due and neither claimed nor being claimed, the longest due first. */
    due(subscriptionId: string, now: number, limit: number): Promise<readonly DeliveryRecord[]>;
    /** As `due`, but due later than `now`, the last to be due first. */
    dueAfter(subscriptionId: string, now: number, limit: number): Promise<readonly DeliveryRecord[]>;
    /** Of each subscription that follows `after` by identifier, the PENDING one that is due first; "" precedes all. */
    firstDue(after: string, limit: number): Promise<readonly FirstDue[]>;
    /** As `firstDue`, but whole, and of those in a state. */
    firstOpen(state: OpenState, after: string, limit: number): Promise<readonly DeliveryRecord[]>;
    /** Deliveries of a subscription in a state, before a generation and until an event's time. A transaction locks them. */
    openOf(
      subscriptionId: string,
      state: OpenState,
      limit: number,
      before?: Pick<CancellationRecord, "generation" | "until">,
    ): Promise<readonly DeliveryRecord[]>;
    /** The lowest sequence that is still to come among those with the ordering key. */
    firstInOrder(subscriptionId: string, orderingKey: string): Promise<DeliveryRecord | undefined>;
    /** How many an institution has: no more than ten thousand are counted. */
    countOpen(institutionId: string, state: OpenState): Promise<number>;
    /** The one created first. */
    oldestOpen(institutionId: string, state: OpenState): Promise<DeliveryRecord | undefined>;
    /** How many of a subscription there are: no more than a million are counted. */
    countOf(subscriptionId: string, state: OpenState): Promise<number>;
    /** How many of some subscriptions are still to arrive. */
    countOpenOf(subscriptionIds: readonly string[]): Promise<number>;
    /** How many dead letters an institution has. */
    countDead(institutionId: string): Promise<number>;
    /** The one created first. */
    oldestDead(institutionId: string): Promise<DeliveryRecord | undefined>;
    /** Created before `time`, the oldest first. */
    finishedBefore(
      institutionId: string,
      state: "DELIVERED" | "CANCELLED",
      time: number,
      limit: number,
    ): Promise<readonly DeliveryRecord[]>;
  };
  readonly deliveryAttempts: {
    /** The last 100, by number. */
    of(deliveryId: string): Promise<readonly DeliveryAttemptRecord[]>;
  };
  readonly endpointHealth: {
    find(subscriptionId: string): Promise<EndpointHealthRecord | undefined>;
    /** Those that there are, in any order. */
    findMany(subscriptionIds: readonly string[]): Promise<readonly EndpointHealthRecord[]>;
    /** Endpoints whose review is due by `time`, the longest due first. */
    dueForReview(time: number, limit: number): Promise<readonly EndpointHealthRecord[]>;
  };
  /** All of them, by creation. */
  readonly serviceKeys: { list(): Promise<readonly ServiceKeyRecord[]> };
  readonly outboxMails: Finder<OutboxMailRecord> & {
    /** A page, the newest first. */
    list(query: MailQuery): Promise<readonly OutboxMailRecord[]>;
    /** Due by `now`, the longest due first; in a transaction, none that another one claims meanwhile. */
    due(now: number, limit: number): Promise<readonly OutboxMailRecord[]>;
    /** Due later than `now`, the last to be due first. */
    dueAfter(now: number, limit: number): Promise<readonly OutboxMailRecord[]>;
    /** Those that need not be sent any more. */
    expired(now: number, limit: number): Promise<readonly OutboxMailRecord[]>;
    /** Those that an earlier release wrote beside several institutions: they name none. The oldest first. */
    ofNobody(limit: number): Promise<readonly OutboxMailRecord[]>;
    /** How many are PENDING, of all institutions and of none. */
    countPending(): Promise<number>;
    /** How many there are, as far as is counted. */
    countIn(institutionId: string, state: MailState): Promise<number>;
    /** The one created first. */
    oldestIn(institutionId: string, state: MailState): Promise<OutboxMailRecord | undefined>;
  };
  readonly mailAttempts: {
    /** By number. */
    of(mailId: string): Promise<readonly MailAttemptRecord[]>;
  };
  readonly answers: { find(requestHash: string): Promise<AnswerRecord | undefined> };
  readonly nonces: {
    /** How many of an owner expire after `time`. */
    countOf(owner: string, time: number): Promise<number>;
  };
}
