/** Faults that the suite does not catch, and why not. A fault that it comes to catch is taken off the list. */
export const missedWithReason: Readonly<Record<string, string>> = {
  "legal-rep-twice": "neither document nor decisions say what naming somebody twice means",
  "address-of-nobody": "neither document nor decisions say whose address an account has",
  "parent-without-code": "the code of a parent account may be any text, or empty (section 2.1)",
};
