import type { AccountCondition } from "./account-condition.ts";
import type { AccountRecord } from "./records/accounts.ts";

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
