import { expect } from "vitest";
import { firstBank, outside, type Bank } from "./handlers-bank.ts";

let references = 0;

/** A transaction from one account number to another; what is undefined is an outside party. */
export function transfer(
  from: string | undefined,
  to: string | undefined,
  details: Readonly<Record<string, unknown>> & { readonly amount?: number; readonly currency?: string } = {},
) {
  references += 1;
  const { amount = 100, currency = "USD", ...more } = details;
  const party = (number: string | undefined) => ({
    AccountNumber: number ?? "4402317756",
    InstitutionId: number === undefined ? outside : firstBank,
  });
  return {
    type: "INTERNAL_TRANSFER",
    mode: "PG",
    Status: "COMPLETED",
    ReferenceId: `REF-${references}`,
    TimeStamp: "2026-03-02T08:15:27.000-05:00",
    credit: from === undefined,
    InstructedAmount: { Amount: amount, Currency: currency },
    DebtorAccount: party(from),
    CreditorAccount: party(to),
    ...more,
  };
}

export interface Balances {
  readonly balance: number;
  readonly ledgerBalance: number;
  readonly holdBalance: number;
  readonly status: string;
}

export async function balancesOf(bank: Bank, ID: string): Promise<Balances> {
  const { account } = (await bank.ledger("AccountService.GetAccount", { ID })).result;
  const { balance, ledgerBalance, holdBalance, status } = account;
  return { balance, ledgerBalance, holdBalance, status };
}

/** The ledger adds up: every balance is the sum of its postings, and all postings sum to zero. */
export async function expectSound(bank: Bank): Promise<void> {
  const { sums, findings } = await bank.store.verify();
  expect(findings).toEqual([]);
  for (const { currency, sumMinor } of sums) expect(`${sumMinor} ${currency}`).toBe(`0 ${currency}`);
}
