export interface SubscriptionRecord {
  readonly id: string;
  readonly institutionId: string;
  /** The user who made it, or to whom the operator handed it. */
  readonly userName: string;
  readonly name: string;
  readonly callbackUrl: string;
  readonly events: readonly string[];
  /** The topics that it subscribes to. */
  readonly groupId: readonly string[];
  readonly remarks?: string;
  /** HMAC secret of Standard Webhooks, sealed by the service's own key. */
  readonly secretSealed: string;
  /** The secret before it, until which time it still signs beside the new one. */
  readonly formerSecretSealed?: string;
  readonly formerSecretUntil?: number;
  /** When its user was shown the secret: it is shown once. */
  readonly secretShownAt?: number;
  readonly enabled: boolean;
  /** Why it is not enabled; absent where it is, and where its own user has disabled it. */
  readonly disabledReason?: "OPERATOR" | "FAILING" | "GONE" | "REVOKED";
  readonly disabledAt?: number;
  /** Whether each topic's events arrive strictly one after the other. */
  readonly ordered: boolean;
  /**
   * How often it was revoked, or enabled again without what it had missed: deliveries of earlier generations are cancelled.
   * No clock tells them apart, because it may be set back. Absent: 0.
   */
  readonly generation?: number;
  /** The revision that it was made in, in whose form its events are sent; absent: the oldest that is served. */
  readonly revision?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A topic of a subscription: an item of its `groupId`, with the group that it belonged to when it was subscribed to. */
export interface SubscriptionTopicRecord {
  readonly institutionId: string;
  readonly subscriptionId: string;
  readonly topic: string;
  /** Absent where the topic belongs to none. */
  readonly group?: string;
  /**
   * Whose events wait for one another and for nobody else's: the user who made the subscription. It stays when the
   * subscription is handed to another user, so that its events keep their order.
   */
  readonly lane: string;
}

/** What sending to a subscription needs: everything but its topics, of which there may be a thousand. */
export type SubscriptionTarget = Omit<SubscriptionRecord, "groupId" | "remarks">;

/** An event, written in the transaction of the change that it announces. Delivery reads it later. */
export interface OutboxEventRecord {
  readonly id: string;
  readonly institutionId: string;
  readonly name: string;
  /** Source that caused it (section 4.16). */
  readonly source: string;
  /** What it is about, the most important first. */
  readonly topics: readonly string[];
  /** What its topics belong to; absent where they belong to nothing. */
  readonly group?: string;
  /** The notification's `payload` member as JSON text. */
  readonly payloadJson: string;
  /** Sent instead to subscribers of these topics alone. */
  readonly otherPayloads?: readonly OtherPayload[];
  /** The revision in whose words name and payload are; absent where that was not noted. */
  readonly revision?: string;
  /** `traceparent` of the call that caused it; absent where calls are not traced. */
  readonly traceParent?: string;
  readonly createdAt: number;
}

/** The payload for subscribers of one of the event's topics, where that differs. */
export interface OtherPayload {
  readonly topic: string;
  readonly payloadJson: string;
}

/**
 * FAILED: its attempts are used up. It stays until an operator sends it again or removes it. SENT: its message is gone,
 * the record stays for a while.
 */
export type MailState = "PENDING" | "FAILED" | "SENT";

/** A mail: written with the change that causes it, kept until it is sent. */
export interface OutboxMailRecord {
  readonly id: string;
  /** Absent only where an earlier release wrote it. */
  readonly institutionId?: string;
  /**
   * Its subject: a word of the engine or of the application. `unknown`: an earlier release wrote it and did not say.
   */
  readonly kind: string;
  /** The user it goes to. */
  readonly userName?: string;
  /** A recipient who is no user, among the application's own. */
  readonly recipientId?: string;
  /** The draft as JSON, sealed by the service's own key: it may hold a one-time password. Once SENT an empty text. */
  readonly messageSealed: string;
  readonly state: MailState;
  readonly attempts: number;
  /** Attempts that count towards the end of the retry schedule. */
  readonly failures: number;
  /** Time of the next attempt; end of the claim while claimed. Absent where it is not PENDING. */
  readonly dueAt?: number;
  /** The process that is sending it. */
  readonly claimedBy?: string;
  readonly failedAt?: number;
  readonly sentAt?: number;
  /** Nothing is lost by dropping it from then on. */
  readonly expiresAt?: number;
  readonly createdAt: number;
}

/** An attempt to send a mail. */
export interface MailAttemptRecord {
  readonly mailId: string;
  readonly number: number;
  readonly startedAt: number;
  readonly durationMs: number;
  /** A word; absent where the mail was accepted. */
  readonly failure?: string;
  /** For people; without the address and the text of the mail. */
  readonly detail?: string;
}

/** A source that events are announced under, with what it announces (section 4.16). */
export interface SourceRecord {
  readonly id: string;
  readonly institutionId: string;
  readonly source: string;
  readonly events: readonly { readonly name: string; readonly description: string }[];
  readonly keyIds: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
}
