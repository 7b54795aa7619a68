import { omitUndefined } from "../../contract/index.ts";
import type {
  AccountRecord,
  ApiKeyRecord,
  BeneficiaryRecord,
  AnswerRecord,
  ChainRootRecord,
  LegalRepRecord,
  NonceRecord,
  OutboxEventRecord,
  MailAttemptRecord,
  MailQuery,
  OutboxMailRecord,
  TransactionRecord,
} from "../../ports/index.ts";
import {
  accounts,
  answers,
  apiKeys,
  auditEntries,
  beneficiaries,
  categories,
  chainRoots,
  customers,
  deviceKeys,
  keyUses,
  institutions,
  legalReps,
  mailAttempts,
  nonces,
  outboxEvents,
  outboxMails,
  portalLogins,
  postings,
  registrations,
  shareHolders,
  sources,
  subscriptions,
  transactions,
  users,
  type ColumnShape,
  type StoredAuditRecord,
  type FieldOf,
  type Table,
  type TablePart,
  type TableShape,
} from "../tables/index.ts";

/** A question as SQL sees it: rows whose columns compare with the values given at execution, in this order. */
export interface QueryShape {
  readonly table: TableShape;
  /**
   * An absent value compares with nothing. `contains`: the text is part of the column's. `in`: the column's text is one
   * of those in a JSON array.
   */
  readonly where: readonly Condition[];
  /** A column that is not absent: an index of the records that have it answers without them. */
  readonly present?: ColumnShape;
  /** A column that is absent. */
  readonly absent?: ColumnShape;
  /** "insertion" is the order of insertion. Absent where at most one record can match. */
  readonly order?: readonly ColumnShape[] | "insertion";
  /** Where a count ends; absent: at `countMax`. */
  readonly countTo?: number;
  /** Whether the order is the other way round, the greatest first. */
  readonly descending?: true;
  /** Whether only records after a place in the order are asked for: its values, one a column, follow those of `where`. */
  readonly after?: true;
  /** Only the first record of each value of this text column, in its order. `order` says which is the first. */
  readonly firstOf?: ColumnShape;
  /** Whether a last value bounds the number of records. */
  readonly limited: boolean;
  /** The fields that are read; absent: all. */
  readonly part?: Pick<TablePart<unknown>, "columns"> | undefined;
  /**
   * How a transaction of an engine that runs several at once holds the records until it ends: others wait for them, pass
   * over them (`skip`), or find nothing at all meanwhile (`turn`).
   */
  readonly locks?: "wait" | "skip" | "turn";
}

/** Counts end here, or where their query says: callers do not need a larger one. */
export const countMax = 1_000_000;
/** Counts of what waits end here: they are asked for at every look at the metrics, and may be of millions. */
export const backlogCountMax = 10_000;

export interface Condition {
  readonly column: ColumnShape;
  readonly op: "=" | "<" | "<=" | ">" | ">=" | "contains" | "in";
  /** Whether the records are found by the other conditions alone: an index of this column would give most of the table. */
  readonly isSifting?: true;
}

/** A question about one table: a datum, so that each adapter answers all of them with one piece of code. */
export interface Query<R> extends QueryShape {
  readonly table: Table<R>;
  readonly part?: undefined;
}

/** A question that reads some fields of its records alone. */
export interface PartQuery<P> extends QueryShape {
  readonly part: TablePart<P>;
}

/** What reads the records that a query finds. */
export function partRead<R>(query: Query<R> | PartQuery<R>): TablePart<R> {
  return query.part ?? query.table;
}

export const institutionById = byKey(institutions);
export const customerById = byKey(customers);
export const customersOfInstitution = { ...equal(customers, ["institutionId"], ["id"]), limited: true };
export const customersAfter = { ...customersOfInstitution, after: true as const };
export const legalRepById = byKey(legalReps);
export const legalRepsByIds: Query<LegalRepRecord> = {
  table: legalReps,
  where: [condition(legalReps, "institutionId", "="), condition(legalReps, "id", "in")],
  limited: false,
};
export const shareHolderById = byKey(shareHolders);
export const beneficiaryById = byKey(beneficiaries);
export const beneficiariesOfAccount: Query<BeneficiaryRecord> = {
  ...equal(beneficiaries, ["institutionId", "accountId", "legalRepId"], ["createdAt", "id"]),
  limited: true,
};
export const categoryByName = equal(categories, ["institutionId", "name"]);
export const sourceById = byKey(sources);
export const sourceByName = equal(sources, ["institutionId", "source"]);
export const accountById = byKey(accounts);
export const accountByNumber = equal(accounts, ["institutionId", "number"]);
export const accountsByNumbers: Query<AccountRecord> = {
  table: accounts,
  where: [condition(accounts, "institutionId", "="), condition(accounts, "number", "in")],
  limited: false,
};
export const transactionById = byKey(transactions);
export const transactionByReference = equal(transactions, ["institutionId", "referenceId"]);
export const pendingCredits: Query<TransactionRecord> = {
  ...equal(transactions, ["institutionId", "creditorAccountId", "status"]),
  limited: true,
};
export const postingsOfTransaction = equal(postings, ["institutionId", "transactionId"], ["id"]);
const auditSubject = ["institutionId", "subjectType", "subjectId"] as const;
/** The last entry of a subject. */
export const auditHead: Query<StoredAuditRecord> = {
  ...equal(auditEntries, auditSubject, ["position"]),
  descending: true,
  limited: true,
};
/** Pages: of an institution or of a subject, the newest first from the start or before a number, or the oldest after one. */
export const auditPages = {
  all: auditPage(["institutionId"], "number"),
  allBefore: auditPage(["institutionId"], "number", "<"),
  subject: auditPage(auditSubject, "position"),
  subjectBefore: auditPage(auditSubject, "position", "<"),
  allAfter: auditPage(["institutionId"], "number", ">"),
  subjectAfter: auditPage(auditSubject, "position", ">"),
};
export const auditAfter: Query<StoredAuditRecord> = {
  table: auditEntries,
  where: [condition(auditEntries, "sequence", ">")],
  order: [auditEntries.columnOf("sequence")],
  limited: true,
};
export const latestRoot: Query<ChainRootRecord> = {
  ...equal(chainRoots, [], ["sequence"]),
  descending: true,
  limited: true,
};
export const userByName = byKey(users);
export const usersOfInstitution = {
  ...equal(users, ["institutionId", "realm"], ["userName"]),
  limited: true,
};
export const usersAfter = { ...usersOfInstitution, after: true as const };
export const apiKeyById = byKey(apiKeys);
export const lastApiKeysOfUser: Query<ApiKeyRecord> = {
  ...equal(apiKeys, ["userName"], ["createdAt", "id"]),
  descending: true,
  limited: true,
};
export const deviceKeyById = byKey(deviceKeys);
export const keyUsesOfUser = equal(keyUses, ["userName"]);
export const deviceKeysOfUser = equal(deviceKeys, ["userName"], ["createdAt", "keyId"]);
export const registrationByToken = byKey(registrations);
export const portalLoginByLegalRep = byKey(portalLogins);
export const subscriptionById = byKey(subscriptions);
export const subscriptionsOfUser = equal(subscriptions, ["institutionId", "userName"], ["createdAt", "id"]);
export const subscriptionsOfUserPage = { ...subscriptionsOfUser, limited: true as const };
export const subscriptionsOfUserAfter = { ...subscriptionsOfUserPage, after: true as const };
export const institutionsByName = equal(institutions, [], ["id"]);
export const oldestEvents: Query<OutboxEventRecord> = {
  table: outboxEvents,
  where: [],
  order: "insertion",
  limited: true,
  locks: "turn",
};
export const eventsOfInstitution = {
  ...equal(outboxEvents, ["institutionId"], ["id"]),
  limited: true,
  countTo: backlogCountMax,
};
export const mailById = byKey(outboxMails);
export const mailOfInstitution = equal(outboxMails, ["institutionId", "id"]);
export const claimedMail = equal(outboxMails, ["id", "claimedBy", "attempts"]);
/** Those that are not PENDING have no time. */
export const dueMails: Query<OutboxMailRecord> = {
  table: outboxMails,
  where: [condition(outboxMails, "dueAt", "<=")],
  order: [outboxMails.columnOf("dueAt")],
  limited: true,
  countTo: backlogCountMax,
  locks: "skip",
};
export const mailsDueAfter: Query<OutboxMailRecord> = {
  table: outboxMails,
  where: [condition(outboxMails, "dueAt", ">")],
  order: [outboxMails.columnOf("dueAt")],
  descending: true,
  limited: true,
};
export const claimedMails: Query<OutboxMailRecord> = {
  table: outboxMails,
  where: [condition(outboxMails, "claimedBy", ">=")],
  limited: false,
};
export const expiredMails: Query<OutboxMailRecord> = {
  table: outboxMails,
  where: [condition(outboxMails, "expiresAt", "<=")],
  order: [outboxMails.columnOf("expiresAt")],
  limited: true,
};
export const mailsOfLegalRep = equal(outboxMails, ["institutionId", "legalRepId", "kind", "state"], ["id"]);
export const mailsInState: Query<OutboxMailRecord> = {
  ...equal(outboxMails, ["institutionId", "state"], ["createdAt"]),
  limited: true,
  countTo: backlogCountMax,
};
export const mailsOfNobody: Query<OutboxMailRecord> = {
  table: outboxMails,
  where: [],
  absent: outboxMails.columnOf("institutionId"),
  // In the order of the index: PostgreSQL does not take a column that is absent for a constant one.
  order: (["institutionId", "createdAt", "id"] as const).map((field) => outboxMails.columnOf(field)),
  limited: true,
};
export const attemptsOfMail = equal(mailAttempts, ["mailId"], ["number"]);
export const formerAttemptsOfMail: Query<MailAttemptRecord> = {
  table: mailAttempts,
  where: [condition(mailAttempts, "mailId", "="), condition(mailAttempts, "number", "<=")],
  limited: false,
};
const mailListings = {
  all: newestMails(["institutionId"]),
  allAfter: newestMails(["institutionId"], true),
  inState: newestMails(["institutionId", "state"]),
  inStateAfter: newestMails(["institutionId", "state"], true),
};

/** Mails of an institution, the newest first. */
export function mailListing({ institutionId, state, after, limit }: MailQuery): {
  readonly query: Query<OutboxMailRecord>;
  readonly values: readonly (string | number)[];
} {
  const name = `${state === undefined ? "all" : "inState"}${after === undefined ? "" : "After"}` as const;
  const place = after === undefined ? [] : [after.createdAt, after.id];
  const narrowing = state === undefined ? [institutionId] : [institutionId, state];
  return { query: mailListings[name], values: [...narrowing, ...place, limit] };
}
export const answerByHash = byKey(answers);
export const answersBefore: Query<AnswerRecord> = {
  table: answers,
  where: [{ column: answers.columnOf("createdAt"), op: "<" }],
  order: [answers.columnOf("createdAt")],
  limited: true,
};
export const nonceByName = byKey(nonces);
export const noncesOf: Query<NonceRecord> = {
  table: nonces,
  where: [condition(nonces, "owner", "="), condition(nonces, "expiresAt", ">")],
  limited: false,
};
export const expiredNonces: Query<NonceRecord> = {
  table: nonces,
  where: [condition(nonces, "expiresAt", "<=")],
  order: [nonces.columnOf("expiresAt")],
  limited: true,
};

/** The record with a key. */
export function byKey<R>(table: Table<R>): Query<R> {
  return { table, where: table.key.map(equals), limited: false };
}

/** The records whose fields have the values given, in an order. */
export function equal<R>(
  table: Table<R>,
  fields: readonly FieldOf<R>[],
  order?: readonly FieldOf<R>[],
): Query<R> {
  const where = fields.map((field) => equals(table.columnOf(field)));
  const ordered = order?.map((field) => table.columnOf(field));
  return omitUndefined({ table, where, limited: false, order: ordered });
}

/** Entries that have their numbers. In the order of a subject's positions they are in that of their numbers, too. */
function auditPage(
  fields: readonly FieldOf<StoredAuditRecord>[],
  by: "number" | "position",
  place?: "<" | ">",
): Query<StoredAuditRecord> {
  const { where, ...query } = equal(auditEntries, fields, [by]);
  const placed = place && {
    ...condition(auditEntries, "number", place),
    ...(by === "position" && { isSifting: true as const }),
  };
  return {
    ...query,
    where: [...where, ...(placed ? [placed] : [])],
    present: auditEntries.columnOf("number"),
    limited: true,
    ...(place !== ">" && { descending: true as const }),
  };
}

function newestMails(fields: readonly FieldOf<OutboxMailRecord>[], isAfter = false): Query<OutboxMailRecord> {
  const query = equal(outboxMails, fields, ["createdAt", "id"]);
  return { ...query, descending: true, limited: true, ...(isAfter && { after: true as const }) };
}

export function condition<R>(table: Table<R>, field: FieldOf<R>, op: Condition["op"]): Condition {
  return { column: table.columnOf(field), op };
}

function equals(column: ColumnShape) {
  return { column, op: "=" as const };
}
