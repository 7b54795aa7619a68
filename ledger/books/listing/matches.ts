import { availableMinor, currencyOf, allCurrencies } from "../../domain/money.ts";
import {
  compareCodePoints,
  lowerAscii,
  orderHolds,
  type Order,
} from "../../../runtime/store/common/index.ts";
import type { AccountCondition, AccountTextField, AccountListing } from "../../domain/lists.ts";
import type { InstitutionRecord } from "../../../runtime/store/ports/index.ts";

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

type AmountCondition = Extract<AccountCondition, { readonly kind: "amount" }>;

/**
 * A comparison of integer minor units that says the same as one of decimals: `minor op bound`, or `never` for an
 * equality with a fraction of a minor unit, `always` for its negation.
 */
type MinorComparison =
  | { readonly kind: "compare"; readonly op: Order; readonly bound: bigint }
  | { readonly kind: "always" | "never" };

/** Decimals of a currency that is not of ISO 4217. No handler writes one; the adapters must still agree. */
const exponentOfUnknown = 2;

/** The decimals of a currency. */
export function exponentOf(currency: string): number {
  return currencyOf(currency)?.exponent ?? exponentOfUnknown;
}

/** The currencies whose decimals are not the usual two, by decimals. All others have `exponentOf("")`. */
export const unusualExponents: ReadonlyMap<number, readonly string[]> = Map.groupBy(
  allCurrencies()
    .filter(({ exponent }) => exponent !== exponentOfUnknown)
    .map(({ code }) => code),
  exponentOf,
);

/** An amount condition in minor units, where the currency has `exponent` decimals. */
export function minorComparison({ op, digits, scale }: AmountCondition, exponent: number): MinorComparison {
  const zeros = exponent - scale;
  if (zeros >= 0) return { kind: "compare", op, bound: digits * 10n ** BigInt(zeros) };
  const divisor = 10n ** BigInt(-zeros);
  const floor = floorDivision(digits, divisor);
  if (floor * divisor === digits) return { kind: "compare", op, bound: floor };
  switch (op) {
    case "=":
      return { kind: "never" };
    case "!=":
      return { kind: "always" };
    case "<":
    case "<=":
      return { kind: "compare", op: "<=", bound: floor };
    case ">":
    case ">=":
      return { kind: "compare", op: ">", bound: floor };
  }
}

/** Rounds towards minus infinity, where `/` rounds towards zero. */
function floorDivision(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient;
}

/** A condition that always or never holds. */
const always: AccountCondition = { kind: "and", terms: [] };
const never: AccountCondition = { kind: "or", terms: [] };

export function isAlways(condition: AccountCondition): boolean {
  return condition.kind === "and" && condition.terms.length === 0;
}

export function isNever(condition: AccountCondition): boolean {
  return condition.kind === "or" && condition.terms.length === 0;
}

/**
 * The condition within one institution: comparisons with the institution's own fields hold for all of its accounts or
 * for none, and are evaluated here.
 */
export function foldedIn(condition: AccountCondition, institution: InstitutionRecord): AccountCondition {
  switch (condition.kind) {
    case "not": {
      const term = foldedIn(condition.term, institution);
      if (isAlways(term)) return never;
      return isNever(term) ? always : { kind: "not", term };
    }
    case "and":
      return joinTerms("and", condition.terms, institution);
    case "or":
      return joinTerms("or", condition.terms, institution);
    case "text":
      if (condition.field === "institutionID") return constant(textMatches(condition, institution.id));
      if (condition.field === "institutionName") return constant(textMatches(condition, institution.name));
      return condition;
    default:
      return condition;
  }
}

function joinTerms(
  kind: "and" | "or",
  all: readonly AccountCondition[],
  institution: InstitutionRecord,
): AccountCondition {
  const [isNeutral, isDecisive] = kind === "and" ? [isAlways, isNever] : [isNever, isAlways];
  const terms = all.map((term) => foldedIn(term, institution)).filter((term) => !isNeutral(term));
  const decisive = terms.find(isDecisive);
  if (decisive !== undefined) return decisive;
  const [first] = terms;
  return terms.length === 1 && first !== undefined ? first : { kind, terms };
}

function constant(holds: boolean): AccountCondition {
  return holds ? always : never;
}

/** Whether a field is compared anywhere in a condition. */
export function namesCustomer(condition: AccountCondition): boolean {
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.terms.some(namesCustomer);
    case "not":
      return namesCustomer(condition.term);
    default:
      return condition.field === "customerName";
  }
}
