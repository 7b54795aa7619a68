/** Faults that the suite does not catch, and why not. A fault that it comes to catch is taken off the list. */
export const missedWithReason: Readonly<Record<string, string>> = {
  "address-of-nobody": "neither document nor decisions say whose address an account has",
  "identifier-ignores-case":
    "identifiers are opaque (D-30): no text says that an identifier in other case is another one",
  "unknown-member-of-api":
    "a member that is null is answered as a missing one (D-06), but for an apiKey that need not be there",
};

/** Faults that break the document and that one caller, at level `document`, cannot see. */
export const missedByCallerAlone: Readonly<Record<string, string>> = {
  "first-legal-rep-assigned": "only an operator makes a second legal representative",
  "found-by-prefix": "only an operator records a reference whose beginning is known to be none",
  "listed-per-legal-rep": "only an operator makes a second legal representative",
  "list-ends-at-hundred": "the order of a list is open, so that all pages of a bank would have to be read",
  "tax-in-amount": "a fee may have no tax, and only an operator records one whose tax is known",
};
