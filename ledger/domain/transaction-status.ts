import type { TransactionStatus } from "./records/accounts.ts";

/** The effect of a state on the money: moved, held, or none. */
export type TransactionEffect = "post" | "hold" | "none";

/** The effect of each state (D-27): PENDING holds the debtor's amount, COMPLETED posts, the other four release. */
export const transactionEffects: Readonly<Record<TransactionStatus, TransactionEffect>> = {
  COMPLETED: "post",
  PENDING: "hold",
  FAILED: "none",
  DECLINED: "none",
  REJECTED: "none",
  CANCELLED: "none",
};

/** The effect of a requested state: PENDING goes to any one of the other five, which are final (D-27). */
export function transactionStatusChange(
  present: TransactionStatus,
  requested: TransactionStatus,
): "change" | "none" | "final" {
  if (present === requested) return "none";
  return present === "PENDING" ? "change" : "final";
}
