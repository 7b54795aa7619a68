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
