import type { AccountCondition, AccountListing } from "../../ledger/domain/lists.ts";

type Order = "=" | "!=" | "<" | "<=" | ">" | ">=";

/** The currencies that generated accounts are kept in: all decimals there are, and one that nobody knows. */
export const currencies: Readonly<
  Record<string, { readonly numericCode: string; readonly exponent: number }>
> = {
  USD: { numericCode: "840", exponent: 2 },
  JPY: { numericCode: "392", exponent: 0 },
  BHD: { numericCode: "048", exponent: 3 },
  CLF: { numericCode: "990", exponent: 4 },
  "???": { numericCode: "", exponent: 2 },
};

/** What a condition means, written from its documentation alone. */
export function fits(condition: AccountCondition, listing: AccountListing): boolean {
  const { account } = listing;
  const currency = currencies[account.currency] ?? { numericCode: "", exponent: 2 };
  switch (condition.kind) {
    case "and":
      return !condition.terms.some((term) => !fits(term, listing));
    case "or":
      return !condition.terms.every((term) => !fits(term, listing));
    case "not":
      return !fits(condition.term, listing);
    case "flag":
      return condition.op === "="
        ? account.verified === condition.value
        : account.verified !== condition.value;
    case "time": {
      const time = condition.field === "createdDate" ? account.createdAt : account.updatedAt;
      return ordered(condition.op, BigInt(time), BigInt(condition.value));
    }
    case "amount": {
      const amounts = {
        balance: account.ledgerMinor - account.holdMinor - account.preAuthMinor,
        holdBalance: account.holdMinor,
        ledgerBalance: account.ledgerMinor,
        preAuthBalance: account.preAuthMinor,
      };
      const left = amounts[condition.field] * 10n ** BigInt(condition.scale);
      return ordered(condition.op, left, condition.digits * 10n ** BigInt(currency.exponent));
    }
    case "text": {
      const texts = {
        id: account.id,
        name: account.name,
        number: account.number,
        customerID: account.customerId,
        customerName: listing.customerName,
        institutionName: listing.institutionName,
        accountCategory: account.category,
        accountType: account.type,
        currency: account.currency,
        currencyCode: currency.numericCode,
        status: account.status,
        institutionID: account.institutionId,
        glAccount: account.glAccount,
      };
      const text = texts[condition.field];
      if (condition.op === "prefix") return text.slice(0, condition.value.length) === condition.value;
      if (condition.op === "has") return folded(text).includes(folded(condition.value));
      return ordered(condition.op, Buffer.compare(Buffer.from(text), Buffer.from(condition.value)), 0);
    }
  }
}

function ordered<T extends number | bigint>(op: Order, left: T, right: T): boolean {
  return {
    "=": left === right,
    "!=": left !== right,
    "<": left < right,
    "<=": left <= right,
    ">": left > right,
    ">=": left >= right,
  }[op];
}

function folded(text: string): string {
  return Array.from(text, (character) =>
    /[A-Z]/.test(character) ? character.toLowerCase() : character,
  ).join("");
}
