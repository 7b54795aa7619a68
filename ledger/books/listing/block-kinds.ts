import { accountStatuses } from "../../domain/account-status.ts";
import { accountTypes } from "../../domain/account-type.ts";
import { allCurrencies } from "../../domain/money.ts";
import { textMatches } from "./matches.ts";
import type { AccountCondition } from "../../domain/account-condition.ts";

/** The `kinds` of a block of accounts: the values of these fields that its accounts have. */
type ZoneField = "status" | "accountType" | "accountCategory" | "currency" | "glAccount";

/** The letter before each value in `kinds`, as the triggers of migration `account-lists` write it. */
const letters: Readonly<Record<ZoneField, string>> = {
  status: "s",
  accountType: "t",
  accountCategory: "c",
  currency: "u",
  glAccount: "g",
};

/** Between the values in `kinds`, and around them. */
const separator = "\u001f";

/** The text of a condition on `kinds`; `bind` gives the text of a parameter. */
export type ZoneCondition = (bind: (text: string) => string) => string;

/**
 * A condition that holds for the `kinds` of every block with an account that fits, and of few others. Nothing where the
 * kinds do not tell.
 */
export function zoneOf(condition: AccountCondition, isNegated = false): ZoneCondition | undefined {
  switch (condition.kind) {
    case "not":
      return zoneOf(condition.term, !isNegated);
    case "and":
    case "or": {
      const terms = condition.terms.map((term) => zoneOf(term, isNegated));
      const isAll = (condition.kind === "and") !== isNegated;
      const known = terms.filter((term) => term !== undefined);
      if (known.length === 0 || (!isAll && known.length < terms.length)) return undefined;
      return (bind) => `(${known.map((term) => term(bind)).join(isAll ? " AND " : " OR ")})`;
    }
    case "text":
      return textZone(condition, isNegated);
    default:
      return undefined;
  }
}

/** Fields with few possible values are settled for each; of the others only equality tells. */
function textZone(
  condition: Extract<AccountCondition, { readonly kind: "text" }>,
  isNegated: boolean,
): ZoneCondition | undefined {
  const fits = (value: string): boolean => textMatches(condition, value) !== isNegated;
  switch (condition.field) {
    case "status":
      return hasOneOf("status", accountStatuses.filter(fits));
    case "accountType":
      return hasOneOf("accountType", accountTypes.filter(fits));
    case "currencyCode": {
      // Currencies that are not of ISO 4217 have the empty code.
      const codes = allCurrencies().filter(({ numericCode }) => fits(numericCode));
      if (fits("") || codes.length > codesMax) return undefined;
      return hasOneOf(
        "currency",
        codes.map(({ code }) => code),
      );
    }
    case "currency":
    case "accountCategory":
    case "glAccount":
      return condition.op === "=" && !isNegated ? hasOneOf(condition.field, [condition.value]) : undefined;
    default:
      return undefined;
  }
}

function hasOneOf(field: ZoneField, values: readonly string[]): ZoneCondition {
  if (values.length === 0) return () => "FALSE";
  const tokens = values.map((value) => `${separator}${letters[field]}${value}${separator}`);
  return (bind) =>
    `(kinds IS NULL OR ${tokens.map((token) => `instr(kinds, ${bind(token)}) > 0`).join(" OR ")})`;
}

/** More currencies than this are in nearly every block. */
const codesMax = 16;
