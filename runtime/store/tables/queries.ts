import type {
  AnswerRecord,
  AuditQuery,
  ChainRootRecord,
  MailAttemptRecord,
  MailQuery,
  NonceRecord,
  OutboxEventRecord,
  OutboxMailRecord,
} from "../ports/index.ts";
import { auditEntries, chainRoots, type StoredAuditRecord } from "./audit.ts";
import {
  answers,
  mailAttempts,
  nonces,
  outboxEvents,
  outboxMails,
  sources,
  subscriptions,
} from "./events.ts";
import { backlogCountMax, condition, equal, type QueryPage } from "./query.ts";
import type { FieldOf, Query } from "./table.ts";

export const sourceById = sources.byKey;
export const sourcesAfter = {
  ...equal(sources, ["institutionId"], ["id"]),
  limited: true,
  after: true as const,
};
export const sourceByName = equal(sources, ["institutionId", "source"]);
/** Where a list by creation begins. */
export const listStart = { createdAt: 0, id: "" } as const;
const auditSubject = ["institutionId", "subjectType", "subjectId"] as const;
/** The last entry of a subject. */
export const auditHead: Query<StoredAuditRecord> = {
  ...equal(auditEntries, auditSubject, ["position"]),
  descending: true,
  limited: true,
};
const ofInstitution = {
  newest: auditPage(["institutionId"], "number"),
  before: auditPage(["institutionId"], "number", "<"),
  after: auditPage(["institutionId"], "number", ">"),
};
const ofSubject = {
  newest: auditPage(auditSubject, "position"),
  before: auditPage(auditSubject, "position", "<"),
  after: auditPage(auditSubject, "position", ">"),
};

/** A page of the audit log, the newest first; with `after`, the oldest first. */
export function auditListing(asked: AuditQuery): QueryPage<StoredAuditRecord> {
  const { institutionId, subject, before, after, limit } = asked;
  const key = subject === undefined ? [institutionId] : [institutionId, subject.type, subject.id];
  const of = subject === undefined ? ofInstitution : ofSubject;
  if (after !== undefined) return { query: of.after, values: [...key, after, limit] };
  if (before !== undefined) return { query: of.before, values: [...key, before, limit] };
  return { query: of.newest, values: [...key, limit] };
}

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
export const subscriptionById = subscriptions.byKey;
export const subscriptionsOfUser = equal(subscriptions, ["institutionId", "userName"], ["createdAt", "id"]);
export const subscriptionsOfUserAfter = { ...subscriptionsOfUser, limited: true, after: true as const };
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
export const mailById = outboxMails.byKey;
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
export const mailsOfRecipient = equal(outboxMails, ["institutionId", "recipientId", "kind", "state"], ["id"]);
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
export function mailListing({ institutionId, state, after, limit }: MailQuery): QueryPage<OutboxMailRecord> {
  const name = `${state === undefined ? "all" : "inState"}${after === undefined ? "" : "After"}` as const;
  const place = after === undefined ? [] : [after.createdAt, after.id];
  const narrowing = state === undefined ? [institutionId] : [institutionId, state];
  return { query: mailListings[name], values: [...narrowing, ...place, limit] };
}
export const answerByHash = answers.byKey;
export const answersBefore: Query<AnswerRecord> = {
  table: answers,
  where: [{ column: answers.columnOf("createdAt"), op: "<" }],
  order: [answers.columnOf("createdAt")],
  limited: true,
};
export const nonceByName = nonces.byKey;
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
