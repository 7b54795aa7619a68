import { availableMinor } from "./money.ts";
import type { AccountListing } from "./lists.ts";

/** What the bank's handlers find in their context beside what the engine gives them. */
export interface BankContext {
  readonly rules: Rules;
  readonly riskScorer: RiskScorer;
  /** Present where the call carries out what another operator has proposed. */
  readonly approval?: Approval;
}

/** The proposal that a call carries out. */
interface Approval {
  readonly proposalId: string;
  readonly proposedBy: string;
}

/** The settings under `approvals`. */
export interface ApprovalRules {
  /** Transactions that move more than this, in the units of their currency; absent: none. */
  readonly moneyAbove?: number;
  /** Whether new credentials and keys need it. */
  readonly credentials: boolean;
  /** Whether statuses and ownership of accounts need it. */
  readonly accounts: boolean;
  /** How long a proposal can be decided. */
  readonly validHours: number;
}

/** The configured rules of the bank. */
export interface Rules {
  /** `accounts.closedIsFinal` (D-25). */
  readonly closedIsFinal: boolean;
  /** `accounts.overdraft`: whether a transaction may take an account's balance below its minimum. */
  readonly overdraft: "allow" | "refuse";
  /** `accounts.closing`: whether an account with money or a pending transaction may be closed (D-55). */
  readonly closing: "any" | "settled";
  /** `partner.interface`: whether users can be invited to it; absent: they can. */
  readonly partnerInterface?: "off" | "on";
  /** `ledger.origin`: what comes before the path of an invitation's link; absent: whoever sends it adds it. */
  readonly partnerOrigin?: string;
  /** Which changes a second operator has to approve; absent: none. */
  readonly approvals?: ApprovalRules;
  /** `accounts.custodialTypes` (D-29); absent: any non-empty string of at most 64 characters. */
  readonly custodialTypes?: readonly string[];
}

/** Scores the risk of a listing, 0–100 (D-33). */
interface RiskScorer {
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
