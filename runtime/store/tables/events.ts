import {
  keyIdOfSealed,
  type AnswerRecord,
  type MailAttemptRecord,
  type NonceRecord,
  type OtherPayload,
  type OutboxEventRecord,
  type OutboxMailRecord,
  type SourceRecord,
  type SubscriptionTopicRecord,
  type SubscriptionRecord,
} from "../ports/index.ts";
import { institutions, users } from "./access.ts";
import { knownToEntries } from "./audit-rule.ts";
import {
  count,
  defaulting,
  flag,
  holdingSealed,
  json,
  mapped,
  oneOf,
  optional,
  text,
  time,
} from "./column.ts";
import { defineTable } from "./table.ts";

export const sources = defineTable<SourceRecord>({
  name: "sources",
  columns: {
    id: text("id"),
    institutionId: text("institution_id"),
    source: text("source"),
    events: json("events"),
    keyIds: json("key_ids"),
    createdAt: time("created_at"),
    updatedAt: time("updated_at"),
  },
  key: ["institutionId", "id"],
  unique: [["institutionId", "source"]],
  references: [{ fields: ["institutionId"], to: () => institutions }],
  audited: {
    subjectType: "source",
    by: "id",
    fields: { ...knownToEntries, source: "value", events: "value", keyIds: "value" },
  },
});

export const subscriptions = defineTable<SubscriptionRecord>({
  name: "subscriptions",
  columns: {
    id: text("id"),
    institutionId: text("institution_id"),
    userName: text("user_name"),
    name: text("name"),
    callbackUrl: text("callback_url"),
    events: json("events"),
    groupId: json("group_id"),
    remarks: optional(text("remarks")),
    secretSealed: holdingSealed(text("secret_sealed")),
    enabled: flag("enabled"),
    createdAt: time("created_at"),
    updatedAt: time("updated_at"),
    formerSecretSealed: optional(holdingSealed(text("former_secret_sealed"))),
    formerSecretUntil: optional(time("former_secret_until")),
    disabledAt: optional(time("disabled_at")),
    ordered: flag("ordered"),
    revision: optional(text("revision")),
    disabledReason: optional(oneOf("disabled_reason", ["OPERATOR", "FAILING", "GONE", "REVOKED"])),
    generation: optional(count("generation")),
    secretShownAt: optional(time("secret_shown_at")),
  },
  key: ["institutionId", "id"],
  references: [
    { fields: ["institutionId"], to: () => institutions },
    { fields: ["userName"], to: () => users },
  ],
  indexes: {
    subscriptions_by_creation: ["institutionId", "createdAt", "id"],
    subscriptions_by_user: ["institutionId", "userName", "createdAt", "id"],
  },
  audited: {
    subjectType: "subscription",
    by: "id",
    fields: {
      ...knownToEntries,
      userName: "value",
      name: "hidden",
      // Path and query may hold a secret of the receiver.
      callbackUrl: (url) => new URL(url).origin,
      events: "value",
      groupId: "value",
      remarks: "hidden",
      secretSealed: "hidden",
      formerSecretSealed: "hidden",
      formerSecretUntil: "value",
      secretShownAt: "value",
      enabled: "value",
      disabledReason: "value",
      disabledAt: "value",
      ordered: "value",
      generation: "silent",
      revision: "value",
    },
  },
});

/** Follows the subscriptions' `groupId`: who is notified of a topic, or of what happens in its group. */
export const subscriptionTopics = defineTable<SubscriptionTopicRecord>({
  name: "subscription_topics",
  columns: {
    institutionId: text("institution_id"),
    subscriptionId: text("subscription_id"),
    topic: text("topic"),
    group: optional(text("topic_group")),
    lane: defaulting(text("lane"), "-"),
  },
  key: ["institutionId", "subscriptionId", "topic"],
  references: [{ fields: ["institutionId", "subscriptionId"], to: () => subscriptions }],
  indexes: {
    subscription_topics_by_topic: ["institutionId", "topic", "lane", "subscriptionId"],
    subscription_topics_by_group: ["institutionId", "group", "lane", "subscriptionId", "topic"],
  },
});

/** The columns of an event, in the outbox and once it is published. */
export const eventColumns = {
  id: text("id"),
  institutionId: text("institution_id"),
  name: text("name"),
  source: text("source"),
  topics: json<readonly string[]>("topics"),
  group: mapped<string | undefined, string>(text("topic_group"), {
    toKept: (group) => group ?? "",
    fromKept: (kept) => (kept === "" ? undefined : kept),
  }),
  payloadJson: text("payload_json"),
  createdAt: time("created_at"),
};

/** The columns that later migrations added to both tables: they follow all others. */
export const addedEventColumns = {
  revision: optional(text("revision")),
  otherPayloads: optional(json<readonly OtherPayload[]>("other_payloads")),
  traceParent: optional(text("trace_parent")),
};

/** Read in the order of insertion: two events of one millisecond keep their order, whatever the clock did. */
export const outboxEvents = defineTable<OutboxEventRecord>({
  name: "outbox_events",
  columns: { ...eventColumns, ...addedEventColumns },
  key: ["id"],
  references: [{ fields: ["institutionId"], to: () => institutions }],
  sequenceColumn: "sequence",
  indexes: { outbox_events_by_institution: ["institutionId", "id"] },
});

export const outboxMails = defineTable<OutboxMailRecord>({
  name: "outbox_mails",
  columns: {
    id: text("id"),
    messageSealed: holdingSealed(text("message_sealed")),
    attempts: count("attempts"),
    dueAt: optional(time("next_attempt_at")),
    createdAt: time("created_at"),
    institutionId: optional(text("institution_id")),
    kind: defaulting(text("kind"), "unknown"),
    userName: optional(text("user_name")),
    recipientId: optional(text("recipient_id")),
    state: defaulting(oneOf("state", ["PENDING", "FAILED", "SENT"]), "PENDING"),
    failures: defaulting(count("failures"), 0),
    claimedBy: optional(text("claim")),
    failedAt: optional(time("failed_at")),
    sentAt: optional(time("sent_at")),
    expiresAt: optional(time("expires_at")),
  },
  key: ["id"],
  indexes: {
    outbox_mails_by_attempt: { by: ["dueAt"], present: "dueAt", isWholeOnServer: true },
    outbox_mails_by_time: ["institutionId", "createdAt", "id"],
    outbox_mails_by_state: ["institutionId", "state", "createdAt", "id"],
    outbox_mails_by_recipient: {
      by: ["institutionId", "recipientId", "kind", "state", "id"],
      present: "recipientId",
    },
    outbox_mails_claimed: { by: ["claimedBy"], present: "claimedBy" },
    outbox_mails_by_expiry: { by: ["expiresAt"], present: "expiresAt" },
    outbox_mails_urgent: { by: ["expiresAt"], present: "dueAt" },
  },
});

export const mailAttempts = defineTable<MailAttemptRecord>({
  name: "mail_attempts",
  columns: {
    mailId: text("mail_id"),
    number: count("number"),
    startedAt: time("started_at"),
    durationMs: count("duration_ms"),
    failure: optional(text("failure")),
    detail: optional(text("detail")),
  },
  key: ["mailId", "number"],
  references: [{ fields: ["mailId"], to: () => outboxMails }],
  isClustered: true,
});

export const nonces = defineTable<NonceRecord>({
  name: "nonces",
  columns: {
    owner: text("owner"),
    nonce: text("nonce"),
    expiresAt: time("expires_at"),
  },
  key: ["owner", "nonce"],
  indexes: { nonces_by_expiry: ["expiresAt"] },
  isClustered: true,
});

export const answers = defineTable<AnswerRecord>({
  name: "answers",
  columns: {
    requestHash: text("request_hash"),
    resultJson: holdingSealed(text("result_json"), partOfAnswer),
    createdAt: time("created_at"),
    institutionId: optional(text("institution_id")),
  },
  key: ["requestHash"],
  indexes: { answers_by_creation: ["createdAt"] },
});

/** A kept answer is the JSON of a sealed text, or of one beside the revision that it was given in. */
function partOfAnswer(text: string, map: (part: string) => string): string {
  const kept: unknown = JSON.parse(text);
  const isBeside = typeof kept === "object" && kept !== null && "sealed" in kept;
  const sealed = isBeside ? kept.sealed : kept;
  if (typeof sealed !== "string" || keyIdOfSealed(sealed) === undefined) return text;
  // A sealed text has no character that JSON escapes.
  return text.replace(sealed, map(sealed));
}
