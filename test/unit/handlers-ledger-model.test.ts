import { describe, it, expect } from "vitest";
import { accountStatuses, movementsAllowed } from "../../ledger/domain/accounts.ts";
import { transactionStatusChange } from "../../ledger/domain/transactions.ts";
import type { AccountStatus, TransactionStatus } from "../../ledger/domain/records/accounts.ts";
import { openBank, type Bank } from "./handlers-bank.ts";
import { openAccount, openConsumer, type OpenedAccount } from "./handlers-people.ts";
import { expectSound, transfer } from "./handlers-transfers.ts";
import { fc, runs } from "../seed.ts";
import { accountById } from "../../ledger/tables/index.ts";

/** Which of three accounts; `undefined` is a party outside. */
type Place = 0 | 1 | 2 | undefined;

type Step =
  | {
      readonly kind: "record";
      readonly from: Place;
      readonly to: Place;
      readonly amount: number;
      readonly fee: number;
      readonly status: TransactionStatus;
    }
  | { readonly kind: "repeat"; readonly which: number }
  | { readonly kind: "decide"; readonly which: number; readonly status: TransactionStatus }
  | { readonly kind: "account"; readonly which: 0 | 1 | 2; readonly status: AccountStatus };

const place = fc.constantFrom<Place>(0, 1, 2, undefined);
const cents = fc.integer({ min: 1, max: 1_000_000 }).map((minor) => minor / 100);
const status = fc.constantFrom<TransactionStatus>("COMPLETED", "PENDING", "PENDING", "FAILED", "CANCELLED");
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("record" as const),
      from: place,
      to: place,
      amount: cents,
      fee: fc.oneof(fc.constant(0), cents),
      status,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("repeat" as const), which: fc.nat(20) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("decide" as const), which: fc.nat(20), status }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("account" as const),
      which: fc.constantFrom(0, 1, 2),
      status: fc.constantFrom<AccountStatus>("ACTIVE", "ACTIVE", "DORMANT", "CURTAILED", "BLOCKED"),
    }),
  },
);

interface ModelAccount {
  ledger: bigint;
  hold: bigint;
  status: AccountStatus;
}

interface ModelTransaction {
  readonly step: Extract<Step, { kind: "record" }>;
  readonly payload: ReturnType<typeof transfer> & { readonly CustomerId: string };
  status: TransactionStatus;
}

/** The ledger in a few lines: what every step must do to the balances. */
class Model {
  readonly accounts: ModelAccount[] = [0, 1, 2].map(() => ({ ledger: 0n, hold: 0n, status: "ACTIVE" }));
  readonly transactions: ModelTransaction[] = [];

  /** Whether the accounts allow it; if so, done. */
  settle(
    step: ModelTransaction["step"],
    before: TransactionStatus | undefined,
    after: TransactionStatus,
  ): boolean {
    const from = step.from === undefined ? undefined : this.accounts[step.from];
    const to = step.to === undefined ? undefined : this.accounts[step.to];
    const moves = after === "COMPLETED" || after === "PENDING";
    const allowed =
      (from === undefined || movementsAllowed[from.status].includes("debit")) &&
      (to === undefined || movementsAllowed[to.status].includes("credit"));
    const amount = BigInt(Math.round(step.amount * 100));
    const fee = BigInt(Math.round(step.fee * 100));
    const debited = from === undefined && to !== undefined && fee > amount ? to : undefined;
    const payable = debited === undefined || movementsAllowed[debited.status].includes("debit");
    if (moves && !(allowed && payable)) return false;
    if (before === "PENDING" && from !== undefined) from.hold -= amount + fee;
    if (after === "PENDING" && from !== undefined) from.hold += amount + fee;
    if (after === "COMPLETED") {
      if (from !== undefined) from.ledger -= amount + fee;
      else if (to !== undefined) to.ledger -= fee;
      if (to !== undefined) to.ledger += amount;
      if (to?.status === "DORMANT") to.status = "ACTIVE";
    }
    return true;
  }
}

describe("any sequence of transactions and decisions", () => {
  it("keeps every balance and hold as the model says, and all postings at zero", async () => {
    expect(accountStatuses).toContain("DORMANT");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const bank = await openBank();
        const customerId = await openConsumer(bank);
        const accounts: OpenedAccount[] = [];
        for (let at = 0; at < 3; at += 1) accounts.push(await openAccount(bank, customerId));
        const model = new Model();
        for (const each of steps) await perform(each, bank, model, accounts, customerId);
        for (const [at, { ID }] of accounts.entries()) {
          expect(await stored(bank, ID)).toEqual(model.accounts[at]);
        }
        await expectSound(bank);
      }),
      { numRuns: runs(20) },
    );
  });
});

async function perform(
  step: Step,
  bank: Bank,
  model: Model,
  accounts: readonly OpenedAccount[],
  CustomerId: string,
): Promise<void> {
  const numberOf = (at: Place) => (at === undefined ? undefined : accounts[at]?.accountNumber);
  if (step.kind === "account") {
    const account = model.accounts[step.which];
    if (account !== undefined) account.status = step.status;
    const payload = { accountNumber: numberOf(step.which), status: step.status };
    await bank.ledger("AccountService.UpdateAccountStatus", payload);
    return;
  }
  if (step.kind === "record") {
    const Fees = step.fee === 0 ? [] : [{ Amount: step.fee, Currency: "USD" }];
    const details = { amount: step.amount, Fees, Status: step.status, CustomerId };
    const payload = { ...transfer(numberOf(step.from), numberOf(step.to), details), CustomerId };
    const { error } = await bank.operator("RecordTransaction", payload);
    if (step.from === step.to) expect(error?.code).toBe("BAD_INPUT");
    else if (!model.settle(step, undefined, step.status)) expect(error?.code).toBe("CONFLICT");
    else {
      expect(error).toBeUndefined();
      model.transactions.push({ step, payload, status: step.status });
    }
    return;
  }
  const transaction = model.transactions[step.which % Math.max(1, model.transactions.length)];
  if (transaction === undefined) return;
  if (step.kind === "repeat") {
    expect((await bank.operator("RecordTransaction", transaction.payload)).error).toBeUndefined();
    return;
  }
  const { ReferenceId } = transaction.payload;
  const { error } = await bank.operator("UpdateTransactionStatus", { ReferenceId, Status: step.status });
  const change = transactionStatusChange(transaction.status, step.status);
  const done =
    change === "none" ||
    (change === "change" && model.settle(transaction.step, transaction.status, step.status));
  expect(error?.code).toBe(done ? undefined : "CONFLICT");
  if (done) transaction.status = step.status;
}

async function stored(bank: Bank, id: string): Promise<ModelAccount | undefined> {
  const account = await bank.store.read((view) => view.one(accountById, "091000019", id));
  return account && { ledger: account.ledgerMinor, hold: account.holdMinor, status: account.status };
}
