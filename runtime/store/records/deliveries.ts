/**
 * The records of delivery: what becomes of an event once it is committed. Times are
 * milliseconds since the Unix epoch.
 */

import type { OutboxEventRecord } from "./events.ts";

/** An event of the outbox that has a subscriber. Kept as long as its deliveries are. */
export interface EventRecord extends OutboxEventRecord {
  readonly publishedAt: number;
}

/**
 * A published event that still has to be delivered to subscriptions of one lane. Lanes are worked off in turn and in
 * parts, so that many events for many subscriptions of one user delay nobody else.
 */
export interface LaneEventRecord {
  readonly eventId: string;
  readonly lane: string;
  readonly institutionId: string;
  /** Its place in the lane: events are delivered in this order. */
  readonly position: number;
  /** The last subscription, by identifier, that has its delivery; absent before the first. */
  readonly afterSubscriptionId?: string;
  /** When its event happened. */
  readonly createdAt: number;
}

/**
 * Deliveries of a subscription that are not to be sent any more. They are cancelled in parts, since there may be many;
 * one that comes due before is cancelled then.
 */
export interface CancellationRecord {
  readonly subscriptionId: string;
  readonly institutionId: string;
  /** Deliveries of earlier generations of the subscription. */
  readonly generation: number;
  readonly reason: CancelReason;
}

/** A lane that has reached the limit of deliveries that wait: its events stay in the lane meanwhile. */
export interface FullLaneRecord {
  readonly lane: string;
  readonly institutionId: string;
  /** Absent: it has room again. */
  readonly fullSince?: number;
  /** When its user was told by mail. */
  readonly mailedAt: number;
}

/**
 * - `PENDING`: waits for its next attempt, or is being attempted.
 * - `WAITING`: waits for an earlier event of the same topic, because the subscription is ordered.
 * - `HELD`: waits for its subscription to be enabled again.
 * - `DELIVERED`: was answered with 2xx.
 * - `DEAD`: a dead letter: its attempts are used up, or its address is gone.
 * - `CANCELLED`: it is not sent any more.
 */
export type DeliveryState = "PENDING" | "WAITING" | "HELD" | "DELIVERED" | "DEAD" | "CANCELLED";

/**
 * - `REVOKED`: the credential of the subscription's user was revoked.
 * - `DELETED`: the subscription was deleted.
 * - `NOT_RESUMED`: the subscription was enabled without what it had missed.
 * - `TEST`: a test event that did not arrive.
 */
export type CancelReason = "REVOKED" | "DELETED" | "NOT_RESUMED" | "TEST";

/** One event on its way to one subscription. */
export interface DeliveryRecord {
  /** Also the `webhook-id`: the same for every attempt. */
  readonly id: string;
  readonly institutionId: string;
  readonly subscriptionId: string;
  readonly eventId: string;
  readonly eventName: string;
  /** The notification's `groupId`; `sequence` counts for the first. Empty for test events. */
  readonly topics: readonly string[];
  /** From 1, without gaps for each subscription and topic; 0 for test events. */
  readonly sequence: number;
  readonly state: DeliveryState;
  /** Attempts made, over all rounds. */
  readonly attempts: number;
  /** Failures in a row since it was last queued: its place in the schedule. */
  readonly failures: number;
  /**
   * PENDING: when the next attempt is due; while it is claimed, when the claim ends. WAITING and HELD: since when.
   * Absent once nothing more is to come.
   */
  readonly dueAt?: number;
  /** Who is sending it, until `dueAt`. */
  readonly claimedBy?: string;
  /** The topic whose events go in order; absent where order is not asked for, and once nothing more is to come. */
  readonly orderingKey?: string;
  /** Why it was given up; CANCELLED ones have it. */
  readonly cancelReason?: CancelReason;
  /** Since when it is a dead letter. */
  readonly diedAt?: number;
  readonly deliveredAt?: number;
  /** When its event happened. */
  readonly createdAt: number;
  /** That of the subscription when this was made. */
  readonly generation: number;
}

/** One attempt to deliver, as it went. */
export interface DeliveryAttemptRecord {
  readonly deliveryId: string;
  /** From 1. */
  readonly number: number;
  readonly startedAt: number;
  readonly durationMs: number;
  /** Status of the HTTP response; absent if no response arrived. */
  readonly status?: number;
  /** Why it failed, in a word such as `timeout` or `refused-address`; absent for success. */
  readonly failure?: string;
  /** More on the failure, for people. */
  readonly detail?: string;
  /** The beginning of the response's body, as text. */
  readonly response?: string;
  /** Whether the response's body was longer than what is kept. */
  readonly responseTruncated: boolean;
}

/** How many events of a topic a subscription has been sent. */
export interface EventSequenceRecord {
  readonly subscriptionId: string;
  readonly topic: string;
  readonly last: number;
}

/** The health of a subscription's endpoint. A subscription without attempts has none. */
export interface EndpointHealthRecord {
  readonly institutionId: string;
  readonly subscriptionId: string;
  readonly delivered: number;
  readonly failedAttempts: number;
  readonly deadLetters: number;
  readonly lastDeliveredAt?: number;
  readonly lastFailedAt?: number;
  /** The word of the last failure; absent where there was none. */
  readonly lastFailure?: string;
  /** Start of the first failed attempt since the last success. */
  readonly failingSince?: number;
  /** When it is to be decided whether to tell the owner, or to give the endpoint up; absent where nothing is. */
  readonly reviewAt?: number;
  /** Nothing is sent before: the endpoint asked for a pause with `Retry-After`. */
  readonly pausedUntil?: number;
}

/** A key of the service's own, which receivers know from `/.well-known/jwks.json`. */
export interface ServiceKeyRecord {
  readonly keyId: string;
  /** `ES256` signs the payload, `EdDSA` the webhook (Ed25519). */
  readonly algorithm: "ES256" | "EdDSA";
  /** SPKI PEM. */
  readonly publicKeyPem: string;
  /** PKCS#8 PEM, sealed. */
  readonly privateKeySealed: string;
  readonly createdAt: number;
  /** Since when it signs nothing more. */
  readonly retiredAt?: number;
}
