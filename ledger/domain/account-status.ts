import type { AccountStatus } from "./records/accounts.ts";

/** The eight states of an account, in the document's order (section 3). */
export const accountStatuses = [
  "CREATED",
  "ACTIVE",
  "CURTAILED",
  "DORMANT",
  "SUSPENDED",
  "BLOCKED",
  "CLOSED",
  "DISABLED",
] as const satisfies readonly AccountStatus[];

/** The two directions in which money moves over an account. */
export type Side = "debit" | "credit";

/** The sides of a movement that each state allows (D-26). */
export const movementsAllowed: Readonly<Record<AccountStatus, readonly Side[]>> = {
  CREATED: [],
  ACTIVE: ["debit", "credit"],
  CURTAILED: ["credit"],
  DORMANT: ["credit"],
  SUSPENDED: [],
  BLOCKED: [],
  CLOSED: [],
  DISABLED: [],
};

/** The state after money moved: a credit wakes a DORMANT account (D-26). */
export function statusAfterMovement(status: AccountStatus, side: Side): AccountStatus {
  return status === "DORMANT" && side === "credit" ? "ACTIVE" : status;
}

/** The effect of a requested state on an account: a change, nothing, or an error (D-25). */
export function statusChange(
  present: AccountStatus,
  requested: AccountStatus,
  rules: { readonly closedIsFinal: boolean },
): "change" | "none" | "closed-is-final" {
  if (present === requested) return "none";
  if (present === "CLOSED" && rules.closedIsFinal) return "closed-is-final";
  return "change";
}
