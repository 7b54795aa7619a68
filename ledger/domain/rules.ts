import type { RiskScorer } from "./risk-scorer.ts";

/** What the bank's handlers find in their context beside what the engine gives them. */
export interface BankContext {
  readonly rules: Rules;
  readonly riskScorer: RiskScorer;
}

/** The configured rules of the bank. */
export interface Rules {
  /** `accounts.closedIsFinal` (D-25). */
  readonly closedIsFinal: boolean;
  /** `accounts.overdraft`: whether a transaction may take an account's balance below its minimum. */
  readonly overdraft: "allow" | "refuse";
  /** `accounts.closing`: whether an account with money or a pending transaction may be closed (D-55). */
  readonly closing: "any" | "settled";
  /** `accounts.custodialTypes` (D-29); absent: any non-empty string of at most 64 characters. */
  readonly custodialTypes?: readonly string[];
}
