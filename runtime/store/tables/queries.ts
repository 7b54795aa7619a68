import type { AuditQuery, MailQuery, OutboxMailRecord } from "../ports/index.ts";
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
import { backlogCountMax, queryOf, type QueryPage } from "./query.ts";
import type { FieldOf, Query } from "./table.ts";

export const sourceById = sources.byKey;
export const sourcesAfter = queryOf(sources, ["institutionId"], {
  order: ["id"],
  limited: true,
  after: true,
});
export const sourceByName = queryOf(sources, ["institutionId", "source"]);
/** Where a list by creation begins. */
export const listStart = { createdAt: 0, id: "" } as const;
const auditSubject = ["institutionId", "subjectType", "subjectId"] as const;
/** The last entry of a subject. */
export const auditHead = queryOf(auditEntries, auditSubject, {
  order: ["position"],
  descending: true,
  limited: true,
});
const ofInstitution = auditPages(["institutionId"], "number");
const ofSubject = auditPages(auditSubject, "position");
/** The number of one entry of a subject. */
export const auditNumberAt = queryOf(auditEntries, [...auditSubject, "position"], { part: ["number"] });

/** A page of the audit log, the newest first; with `after`, the oldest first. */
export function auditListing(asked: AuditQuery): QueryPage<StoredAuditRecord> {
  const { institutionId, subject, before, after, limit } = asked;
  const key = subject === undefined ? [institutionId] : [institutionId, subject.type, subject.id];
  const of = subject === undefined ? ofInstitution : ofSubject;
  if (after !== undefined) return { query: of.after, values: [...key, after, limit] };
  if (before !== undefined) return { query: of.before, values: [...key, before, limit] };
  return { query: of.newest, values: [...key, limit] };
}

export const auditAfter = queryOf(auditEntries, [["sequence", ">"]], { order: ["sequence"], limited: true });
export const latestRoot = queryOf(chainRoots, [], { order: ["sequence"], descending: true, limited: true });
export const subscriptionById = subscriptions.byKey;
const ofUser = ["institutionId", "userName"] as const;
export const subscriptionsOfUser = queryOf(subscriptions, ofUser, { order: ["createdAt", "id"] });
export const subscriptionsOfUserAfter = queryOf(subscriptions, ofUser, {
  order: ["createdAt", "id"],
  limited: true,
  after: true,
});
export const oldestEvents = queryOf(outboxEvents, [], { order: "insertion", limited: true, locks: "turn" });
export const eventsOfInstitution = queryOf(outboxEvents, ["institutionId"], {
  order: ["id"],
  limited: true,
  countTo: backlogCountMax,
});
export const mailById = outboxMails.byKey;
export const mailOfInstitution = queryOf(outboxMails, ["institutionId", "id"]);
export const claimedMail = queryOf(outboxMails, ["id", "claimedBy", "attempts"]);
/** Those that are not PENDING have no time. */
export const dueMails = queryOf(outboxMails, [["dueAt", "<="]], {
  order: ["dueAt"],
  limited: true,
  countTo: backlogCountMax,
  locks: "skip",
});
/** Due mails that are of use for a while only, such as one-time passwords: the one that expires first comes first. */
export const urgentMails = queryOf(
  outboxMails,
  [
    ["dueAt", "<=", "sifts"],
    ["expiresAt", ">"],
  ],
  {
    order: ["expiresAt"],
    present: "dueAt",
    limited: true,
    locks: "skip",
  },
);
export const mailsDueAfter = queryOf(outboxMails, [["dueAt", ">"]], {
  order: ["dueAt"],
  descending: true,
  limited: true,
});
export const claimedMails = queryOf(outboxMails, [["claimedBy", ">="]]);
export const expiredMails = queryOf(outboxMails, [["expiresAt", "<="]], {
  order: ["expiresAt"],
  limited: true,
});
export const mailsOfRecipient = queryOf(outboxMails, ["institutionId", "recipientId", "kind", "state"], {
  order: ["id"],
});
export const mailsInState = queryOf(outboxMails, ["institutionId", "state"], {
  order: ["createdAt"],
  limited: true,
  countTo: backlogCountMax,
});
export const mailsOfNobody = queryOf(outboxMails, [], {
  absent: "institutionId",
  // In the order of the index: PostgreSQL does not take a column that is absent for a constant one.
  order: ["institutionId", "createdAt", "id"],
  limited: true,
});
export const attemptsOfMail = queryOf(mailAttempts, ["mailId"], { order: ["number"] });
export const formerAttemptsOfMail = queryOf(mailAttempts, ["mailId", ["number", "<="]]);
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
export const answersBefore = queryOf(answers, [["createdAt", "<"]], { order: ["createdAt"], limited: true });
export const nonceByName = nonces.byKey;
export const noncesOf = queryOf(nonces, ["owner", ["expiresAt", ">"]]);
export const expiredNonces = queryOf(nonces, [["expiresAt", "<="]], { order: ["expiresAt"], limited: true });

/** Pages of entries that have their numbers. */
function auditPages(fields: readonly FieldOf<StoredAuditRecord>[], by: "number" | "position") {
  const page = { order: [by], present: "number", limited: true } as const;
  return {
    newest: queryOf(auditEntries, fields, { ...page, descending: true }),
    before: queryOf(auditEntries, [...fields, [by, "<"]], { ...page, descending: true }),
    after: queryOf(auditEntries, [...fields, [by, ">"]], page),
  };
}

function newestMails(fields: readonly FieldOf<OutboxMailRecord>[], isAfter = false): Query<OutboxMailRecord> {
  const page = { order: ["createdAt", "id"], descending: true, limited: true } as const;
  return queryOf(outboxMails, fields, { ...page, ...(isAfter && { after: true }) });
}
