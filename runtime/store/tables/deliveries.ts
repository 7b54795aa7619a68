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
} from "../ports/index.ts";
import { count, defaulting, flag, holdingSealed, json, oneOf, optional, text, time } from "./column.ts";
import { addedEventColumns, eventColumns } from "./events.ts";
import { institutions } from "./access.ts";
import { defineTable } from "./table.ts";

const cancelReasons = ["REVOKED", "DELETED", "NOT_RESUMED", "TEST"] as const;

export const events = defineTable<EventRecord>({
  name: "events",
  columns: { ...eventColumns, publishedAt: time("relayed_at"), ...addedEventColumns },
  key: ["id"],
  references: [{ fields: ["institutionId"], to: () => institutions }],
  isClustered: true,
});

export const laneEvents = defineTable<LaneEventRecord>({
  name: "lane_events",
  columns: {
    eventId: text("event_id"),
    lane: text("lane"),
    institutionId: text("institution_id"),
    position: count("position"),
    afterSubscriptionId: optional(text("after_subscription_id")),
    createdAt: time("created_at"),
  },
  key: ["eventId", "lane"],
  references: [{ fields: ["eventId"], to: () => events }],
  indexes: {
    lane_events_in_order: ["lane", "position", "eventId"],
    lane_events_by_institution: ["institutionId", "createdAt"],
    lane_events_by_position: ["position"],
  },
});

export const fullLanes = defineTable<FullLaneRecord>({
  name: "full_lanes",
  columns: {
    lane: text("lane"),
    institutionId: text("institution_id"),
    fullSince: optional(time("full_since")),
    mailedAt: time("mailed_at"),
  },
  key: ["lane"],
  references: [{ fields: ["institutionId"], to: () => institutions }],
  indexes: { full_lanes_by_institution: { by: ["institutionId", "fullSince"], present: "fullSince" } },
});

export const cancellations = defineTable<CancellationRecord>({
  name: "cancellations",
  columns: {
    subscriptionId: text("subscription_id"),
    institutionId: text("institution_id"),
    generation: defaulting(count("generation"), Number.MAX_SAFE_INTEGER),
    reason: oneOf("reason", cancelReasons),
  },
  key: ["subscriptionId"],
  references: [{ fields: ["institutionId"], to: () => institutions }],
});

export const deliveries = defineTable<DeliveryRecord>({
  name: "deliveries",
  columns: {
    id: text("id"),
    institutionId: text("institution_id"),
    subscriptionId: text("subscription_id"),
    eventId: text("event_id"),
    eventName: text("event_name"),
    topics: json("topics"),
    sequence: count("sequence"),
    state: oneOf("state", ["PENDING", "WAITING", "HELD", "DELIVERED", "DEAD", "CANCELLED"]),
    attempts: count("attempts"),
    failures: count("failures"),
    dueAt: optional(time("due_at")),
    claimedBy: optional(text("claim")),
    orderingKey: optional(text("ordering_key")),
    diedAt: optional(time("died_at")),
    deliveredAt: optional(time("delivered_at")),
    createdAt: time("created_at"),
    generation: defaulting(count("generation"), 0),
    cancelReason: optional(oneOf("cancel_reason", cancelReasons)),
  },
  key: ["id"],
  unique: [["eventId", "subscriptionId"]],
  references: [{ fields: ["eventId"], to: () => events }],
  indexes: {
    deliveries_by_time: ["institutionId", "createdAt", "id"],
    deliveries_by_subscription: ["subscriptionId", "createdAt", "id"],
    deliveries_due: { by: ["state", "subscriptionId", "dueAt"], present: "dueAt" },
    deliveries_in_order: { by: ["subscriptionId", "orderingKey", "sequence"], present: "orderingKey" },
    deliveries_dead: { by: ["institutionId", "createdAt", "id"], present: "diedAt" },
    deliveries_dead_by_subscription: { by: ["subscriptionId", "createdAt", "id"], present: "diedAt" },
    deliveries_open: { by: ["institutionId", "state", "createdAt"], present: "dueAt" },
    deliveries_claimed: { by: ["claimedBy"], present: "claimedBy", isForOneProcess: true },
  },
});

export const deliveryAttempts = defineTable<DeliveryAttemptRecord>({
  name: "delivery_attempts",
  columns: {
    deliveryId: text("delivery_id"),
    number: count("number"),
    startedAt: time("started_at"),
    durationMs: count("duration_ms"),
    status: optional(count("status")),
    failure: optional(text("failure")),
    detail: optional(text("detail")),
    response: optional(text("response")),
    responseTruncated: flag("response_truncated"),
  },
  key: ["deliveryId", "number"],
  references: [{ fields: ["deliveryId"], to: () => deliveries }],
  isClustered: true,
});

export const eventSequences = defineTable<EventSequenceRecord>({
  name: "event_sequences",
  columns: {
    subscriptionId: text("subscription_id"),
    topic: text("topic"),
    last: count("last"),
  },
  key: ["subscriptionId", "topic"],
  isClustered: true,
});

export const endpointHealth = defineTable<EndpointHealthRecord>({
  name: "endpoint_health",
  columns: {
    institutionId: text("institution_id"),
    subscriptionId: text("subscription_id"),
    delivered: count("delivered"),
    failedAttempts: count("failed_attempts"),
    deadLetters: count("dead_letters"),
    lastDeliveredAt: optional(time("last_delivered_at")),
    lastFailedAt: optional(time("last_failed_at")),
    lastFailure: optional(text("last_failure")),
    failingSince: optional(time("failing_since")),
    reviewAt: optional(time("judge_at")),
    pausedUntil: optional(time("paused_until")),
  },
  key: ["subscriptionId"],
  indexes: { endpoint_health_to_judge: { by: ["reviewAt"], present: "reviewAt" } },
  isClustered: true,
});

export const serviceKeys = defineTable<ServiceKeyRecord>({
  name: "service_keys",
  columns: {
    keyId: text("key_id"),
    algorithm: oneOf("algorithm", ["ES256", "EdDSA"]),
    publicKeyPem: text("public_key_pem"),
    privateKeySealed: holdingSealed(text("private_key_sealed")),
    createdAt: time("created_at"),
    retiredAt: optional(time("retired_at")),
  },
  key: ["keyId"],
  audited: {
    subjectType: "service-key",
    by: "keyId",
    isOfService: true,
    fields: {
      keyId: "silent",
      createdAt: "silent",
      algorithm: "value",
      publicKeyPem: "digest",
      privateKeySealed: "hidden",
      retiredAt: "value",
    },
  },
});
