import type { InstitutionRecord } from "../../../runtime/store/ports/index.ts";
import { textMatches } from "./matches.ts";
import type { AccountCondition } from "../../domain/account-condition.ts";

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
