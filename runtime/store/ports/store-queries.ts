import type { DeliveryRecord, DeliveryState } from "../records/deliveries.ts";
import type { MailState } from "../records.ts";
import type { AuditDraft } from "../records/audit.ts";

/** Where a page ended. */
export interface PageCursor {
  readonly createdAt: number;
  readonly id: string;
}

/** States of a delivery that is not finished. */
export type OpenState = "PENDING" | "WAITING" | "HELD";

/** Keys of subscriptions: a topic, or the group that a topic belongs to. */
export interface Audience {
  readonly institutionId: string;
  readonly kind: "topic" | "group";
  readonly value: string;
}

/** When a subscription has something to send. */
export type FirstDue = Pick<DeliveryRecord, "subscriptionId" | "dueAt">;

/** Which deliveries to list. Absent members do not narrow. */
export interface DeliveryQuery {
  readonly institutionId: string;
  readonly subscriptionId?: string;
  readonly eventId?: string;
  readonly state?: DeliveryState;
  /** One of the notification's `groupId`. */
  readonly topic?: string;
  /** Happened at or after. */
  readonly from?: number;
  /** Happened before. */
  readonly to?: number;
  /** Only what comes after this one in the list. */
  readonly after?: { readonly createdAt: number; readonly id: string };
  readonly limit: number;
}

/** Which mails to list. */
export interface MailQuery {
  readonly institutionId: string;
  /** Absent: all. */
  readonly state?: MailState;
  /** Only what comes after this one in the list. */
  readonly after?: PageCursor;
  readonly limit: number;
}

export interface AuditQuery {
  readonly institutionId: string;
  /** Absent: everything of the institution. */
  readonly subject?: { readonly type: string; readonly id: string };
  /** Only entries with a smaller number: those after the page before. */
  readonly before?: number;
  /** Only entries with a greater number, and then the oldest first. */
  readonly after?: number;
  readonly limit: number;
}

/** The handler's part of an audit entry; the rest is known from the call. */
export type AuditedChange = Pick<
  AuditDraft,
  "subjectType" | "subjectId" | "changes" | "contentHash" | "isFirst"
>;

/** Writes audit entries, in the transaction of the change. */
export interface AuditTrail {
  record(change: AuditedChange): Promise<void>;
}
