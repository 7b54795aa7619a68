import type { AccountCondition } from "../../ledger/domain/account-condition.ts";
import type { DeliveryRecord, DeliveryState } from "../domain/records/deliveries.ts";
import type { AccountRecord, MailState } from "../domain/records.ts";

/** Where a page ended. */
export interface PageCursor {
  readonly createdAt: number;
  readonly id: string;
}

/** States of a delivery that is not finished. */
export type OpenState = "PENDING" | "WAITING" | "HELD";

/** What subscriptions are asked for by: a topic, or the group that a topic belongs to. */
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

export interface AccountQuery {
  readonly institutionId: string;
  /** The user who asks: a store serves users who ask at the same time in turns. Absent: no user. */
  readonly askedBy?: string;
  /** Absent: all customers of the institution. */
  readonly customerIds?: readonly string[];
  readonly condition?: AccountCondition;
  /** From 0. */
  readonly offset: number;
  readonly limit: number;
}

export interface TransactionQuery {
  readonly institutionId: string;
  /** As in `AccountQuery`. */
  readonly askedBy?: string;
  /** The account that the money leaves or reaches. */
  readonly accountId: string;
  /** Whose transactions; absent: those of all customers of the institution. */
  readonly customerIds?: readonly string[];
  /** From 0. */
  readonly offset: number;
  readonly limit: number;
}

/** The fields of an account that lists are filtered by and show: reading all of them would take twice the time. */
export type ListedAccount = Pick<
  AccountRecord,
  | "id"
  | "institutionId"
  | "customerId"
  | "name"
  | "number"
  | "type"
  | "status"
  | "category"
  | "currency"
  | "ledgerMinor"
  | "holdMinor"
  | "preAuthMinor"
  | "glAccount"
  | "verified"
  | "createdAt"
  | "updatedAt"
>;

/** An account as its summary shows it, with the names (section 2.2). */
export interface AccountListing {
  readonly account: ListedAccount;
  readonly customerName: string;
  readonly institutionName: string;
}
