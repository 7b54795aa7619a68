import { availableMinor } from "./money.ts";
import type { AccountListing } from "./lists.ts";

/** Scores the risk of a listing, 0–100 (D-33). */
export interface RiskScorer {
  score(accounts: readonly AccountListing[]): number;
}

/** The default score (D-33): the share of listed accounts that are SUSPENDED, BLOCKED or overdrawn, in percent. */
export const shareAtRisk: RiskScorer = {
  score(accounts) {
    if (accounts.length === 0) return 0;
    return Math.round((accounts.filter(isAtRisk).length / accounts.length) * 100);
  },
};

function isAtRisk({ account }: AccountListing): boolean {
  return account.status === "SUSPENDED" || account.status === "BLOCKED" || availableMinor(account) < 0n;
}
