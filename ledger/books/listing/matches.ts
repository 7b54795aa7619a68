import { availableMinor, currencyOf } from "../../domain/money.ts";
import { exponentOf, minorComparison } from "./amounts.ts";
import { compareCodePoints, lowerAscii, orderHolds } from "../../../runtime/store/common/index.ts";
import type { AccountCondition, AccountTextField } from "../../domain/account-condition.ts";
import type { AccountListing } from "../../domain/lists.ts";

type TextCondition = Extract<AccountCondition, { readonly kind: "text" }>;
type AmountField = Extract<AccountCondition, { readonly kind: "amount" }>["field"];

/** Whether an account summary fits a condition. */
export function matches(condition: AccountCondition, listing: AccountListing): boolean {
  switch (condition.kind) {
    case "and":
      return condition.terms.every((term) => matches(term, listing));
    case "or":
      return condition.terms.some((term) => matches(term, listing));
    case "not":
      return !matches(condition.term, listing);
    case "text":
      return textMatches(condition, textOf[condition.field](listing));
    case "time":
      return orderHolds(condition.op, timeOf[condition.field](listing) - condition.value);
    case "amount": {
      const comparison = minorComparison(condition, exponentOf(listing.account.currency));
      if (comparison.kind !== "compare") return comparison.kind === "always";
      const minor = amountOf[condition.field](listing);
      return orderHolds(comparison.op, minor === comparison.bound ? 0 : minor < comparison.bound ? -1 : 1);
    }
    case "flag":
      return (listing.account.verified === condition.value) === (condition.op === "=");
  }
}

/** Whether a text fits a text condition. */
export function textMatches({ op, value }: Pick<TextCondition, "op" | "value">, text: string): boolean {
  if (op === "has") return lowerAscii(text).includes(lowerAscii(value));
  if (op === "prefix") return text.startsWith(value);
  return orderHolds(op, compareCodePoints(text, value));
}

const textOf: Readonly<Record<AccountTextField, (listing: AccountListing) => string>> = {
  id: ({ account }) => account.id,
  name: ({ account }) => account.name,
  number: ({ account }) => account.number,
  customerID: ({ account }) => account.customerId,
  customerName: ({ customerName }) => customerName,
  institutionName: ({ institutionName }) => institutionName,
  accountCategory: ({ account }) => account.category,
  accountType: ({ account }) => account.type,
  currency: ({ account }) => account.currency,
  currencyCode: ({ account }) => numericCodeOf(account.currency),
  status: ({ account }) => account.status,
  institutionID: ({ account }) => account.institutionId,
  glAccount: ({ account }) => account.glAccount,
};

const timeOf = {
  createdDate: ({ account }: AccountListing) => account.createdAt,
  updatedDate: ({ account }: AccountListing) => account.updatedAt,
} as const;

const amountOf: Readonly<Record<AmountField, (listing: AccountListing) => bigint>> = {
  balance: ({ account }) => availableMinor(account),
  holdBalance: ({ account }) => account.holdMinor,
  ledgerBalance: ({ account }) => account.ledgerMinor,
  preAuthBalance: ({ account }) => account.preAuthMinor,
};

/** The numeric code that a summary shows; empty for a currency that is not of ISO 4217. */
function numericCodeOf(currency: string): string {
  return currencyOf(currency)?.numericCode ?? "";
}
