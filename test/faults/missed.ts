/** Faults that the suite does not catch, and why not. A fault that it comes to catch is taken off the list. */
export const missedWithReason: Readonly<Record<string, string>> = {
  "address-of-nobody": "neither document nor decisions say whose address an account has",
  "identifier-ignores-case":
    "identifiers are opaque (D-30): no text says that an identifier in other case is another one",
  "unknown-member-of-api":
    "a member that is null is answered as a missing one (D-06), but for an apiKey that need not be there",
};
