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

/** The fields of an account summary (section 2.2) that a filter may name. */
export type AccountConditionField =
  | "id"
  | "name"
  | "number"
  | "createdDate"
  | "updatedDate"
  | "balance"
  | "holdBalance"
  | "customerID"
  | "customerName"
  | "institutionName"
  | "accountCategory"
  | "accountType"
  | "currency"
  | "currencyCode"
  | "status"
  | "institutionID"
  | "glAccount"
  | "isVerify"
  | "ledgerBalance"
  | "preAuthBalance";

/** The fields that hold text or an enum value. */
export type AccountTextField = Exclude<
  AccountConditionField,
  "createdDate" | "updatedDate" | "balance" | "holdBalance" | "ledgerBalance" | "preAuthBalance" | "isVerify"
>;

/**
 * A filter over account summaries, parsed and checked (D-32): what `domain/filter` produces and what adapters
 * translate, values only ever as bound parameters.
 */
export type AccountCondition =
  | { readonly kind: "and" | "or"; readonly terms: readonly AccountCondition[] }
  | { readonly kind: "not"; readonly term: AccountCondition }
  /** Text: compared by code points; `prefix` is what a trailing `*` asks for; `has` is contained, ignoring ASCII case. */
  | {
      readonly kind: "text";
      readonly field: AccountTextField;
      readonly op: "=" | "!=" | "<" | "<=" | ">" | ">=" | "has" | "prefix";
      readonly value: string;
    }
  /** A time field, against milliseconds since the Unix epoch. */
  | {
      readonly kind: "time";
      readonly field: "createdDate" | "updatedDate";
      readonly op: "=" | "!=" | "<" | "<=" | ">" | ">=";
      readonly value: number;
    }
  /**
   * An amount, against a decimal with exponent: the amount is `digits` × 10^-`scale` of the account's currency
   * unit, compared exactly.
   */
  | {
      readonly kind: "amount";
      readonly field: "balance" | "holdBalance" | "ledgerBalance" | "preAuthBalance";
      readonly op: "=" | "!=" | "<" | "<=" | ">" | ">=";
      readonly digits: bigint;
      readonly scale: number;
    }
  | { readonly kind: "flag"; readonly field: "isVerify"; readonly op: "=" | "!="; readonly value: boolean };
