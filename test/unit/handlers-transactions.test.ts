import { beforeEach, describe, expect, it } from "vitest";
import { errors } from "../../generated/ledger/errors.ts";
import { accountContentHash } from "../../ledger/domain/content-hashes.ts";
import { accountStatuses, movementsAllowed } from "../../ledger/domain/accounts.ts";
import { appendAudit } from "../../runtime/store/audit/index.ts";
import { accountById, accounts } from "../../ledger/tables/index.ts";
import { firstBank, openBank, outside, type Answer, type Bank } from "./handlers-bank.ts";
import { openAccount, openBusiness, openConsumer, type OpenedAccount } from "./handlers-people.ts";
import { balancesOf, expectSound, transfer, type Balances } from "./handlers-transfers.ts";

const statuses = ["COMPLETED", "PENDING", "FAILED", "DECLINED", "REJECTED", "CANCELLED"];

let bank: Bank;
let CustomerId: string;
let payer: OpenedAccount;
let payee: OpenedAccount;

beforeEach(async () => {
  bank = await withAccounts(openBank());
});

/** The same, where no account may be overdrawn. */
function strict(): Promise<Bank> {
  return withAccounts(openBank({ overdraft: "refuse" }));
}

async function withAccounts(opened: Promise<Bank>): Promise<Bank> {
  const bank = await opened;
  CustomerId = (await openBusiness(bank)).customerId;
  payer = await openAccount(bank, CustomerId, { name: "Payer" });
  payee = await openAccount(bank, await openConsumer(bank), { name: "Payee" });
  return bank;
}

function record(payload: object, by?: string): Promise<Answer> {
  return bank.operator("RecordTransaction", { CustomerId, ...payload }, by);
}

/** From payer to payee. */
function pay(details: Parameters<typeof transfer>[2] = {}) {
  return transfer(payer.accountNumber, payee.accountNumber, details);
}

function decide(ReferenceId: string, Status: string, by?: string): Promise<Answer> {
  return bank.operator("UpdateTransactionStatus", { ReferenceId, Status }, by);
}

function setStatus({ accountNumber }: OpenedAccount, status: string): Promise<Answer> {
  return bank.ledger("AccountService.UpdateAccountStatus", { accountNumber, status });
}

function raiseMinimum({ ID }: OpenedAccount): Promise<void> {
  return bank.store.write(async (tx) => {
    const account = await tx.one(accountById, firstBank, ID);
    if (account === undefined) return;
    const raised = { ...account, minimumMinor: 50_000n };
    await tx.replace(accounts, raised, account);
    await appendAudit(tx, {
      institutionId: firstBank,
      subjectType: "account",
      subjectId: ID,
      operation: "test",
      changedAt: bank.clock.now(),
      changes: [{ field: "minimumMinor", from: "0", to: "50000" }],
      contentHash: accountContentHash(raised),
    });
  });
}

const payerBalances = (): Promise<Balances> => balancesOf(bank, payer.ID);
const payeeBalances = (): Promise<Balances> => balancesOf(bank, payee.ID);

describe("RecordTransaction", () => {
  it("moves the amount from debtor to creditor and answers with the documented record", async () => {
    const payload = pay({
      amount: 1249.5,
      Fees: [{ Amount: 1.25, Currency: "USD", Tax: 0.1 }],
      DebtorAccount: {
        AccountNumber: payer.accountNumber,
        InstitutionId: firstBank,
        Reference: "Invoice 117",
        Party: { KycId: "KYC-1" },
        IdentificationType: "CHECKING",
      },
    });
    const { result } = await record(payload);
    expect(result).toEqual({
      ...payload,
      CustomerId,
      TransactionId: expect.any(String),
      Fees: [{ Amount: 1.25, Currency: "USD", Tax: 0.1, TransactionNumber: expect.any(String) }],
    });
    expect(await payerBalances()).toMatchObject({
      balance: -1250.85,
      ledgerBalance: -1250.85,
      holdBalance: 0,
    });
    expect(await payeeBalances()).toMatchObject({ balance: 1249.5 });
    const listed = await bank.ledger("AccountService.ListAccounts", { filter: "accountType = GL" });
    const bankAccounts = listed.result.accounts.map(
      ({ name, balance }: { name: string; balance: number }) => [name, balance],
    );
    expect(bankAccounts).toEqual([
      ["Clearing with outside parties (USD)", 0],
      ["Fee income (USD)", 1.25],
      ["Tax payable (USD)", 0.1],
    ]);
    await expectSound(bank);
    const found = await bank.ledger("TransactionService.GetTransactionsByRef", {
      ReferenceId: payload.ReferenceId,
    });
    expect(found.result).toEqual(result);
  });

  it("keeps the offset of the time and the digits of the amounts", async () => {
    const payload = JSON.stringify({
      CustomerId,
      ...pay({ amount: 7, TimeStamp: "2026-03-02T08:15:27.123456+05:45" }),
    });
    const { text } = await bank.operator(
      "RecordTransaction",
      payload.replace('"Amount":7', '"Amount":1.2310e2'),
    );
    expect(text).toContain('"TimeStamp":"2026-03-02T08:15:27.123456+05:45"');
    expect(text).toContain('"Amount":123.1,');
    expect((await payeeBalances()).balance).toBe(123.1);
  });

  it("takes a party of another institution as the bank's clearing account", async () => {
    await record(transfer(undefined, payer.accountNumber, { amount: 50 }));
    await record(transfer(payer.accountNumber, undefined, { amount: 20 }));
    expect((await payerBalances()).balance).toBe(30);
    const [clearing] = (await bank.ledger("AccountService.ListAccounts", { filter: "name:clearing" })).result
      .accounts;
    expect(clearing).toMatchObject({ balance: -30, accountType: "GL", customerName: "First Bank" });
    await expectSound(bank);
  });

  it("charges fees to the customer's side", async () => {
    const Fees = [{ Amount: 2, Currency: "USD" }];
    await record(transfer(undefined, payer.accountNumber, { amount: 50, Fees }));
    expect((await payerBalances()).balance).toBe(48);
    await record(transfer(payee.accountNumber, payer.accountNumber, { amount: 10, Fees }));
    expect([(await payerBalances()).balance, (await payeeBalances()).balance]).toEqual([56, -10]);
  });

  it("announces the transaction to both sides, without parties or accounts (D-41)", async () => {
    await bank.takeEvents();
    const payload = pay({ CreditorAccount: { ...pay().CreditorAccount, Party: { Name: "Maya Okafor" } } });
    const { TransactionId } = (await record(payload)).result;
    const [event, ...others] = await bank.takeEvents();
    expect(others).toEqual([]);
    const { type, mode, Status, ReferenceId, TimeStamp, credit, InstructedAmount } = payload;
    expect(event).toEqual({
      name: "Transaction.NEW",
      topics: [payer.accountNumber, payee.accountNumber],
      group: CustomerId,
      payload: {
        type,
        mode,
        Status,
        ReferenceId,
        TransactionId,
        TimeStamp,
        credit,
        InstructedAmount,
        CustomerId,
      },
    });
  });

  it("moves nothing where the status is neither COMPLETED nor PENDING", async () => {
    for (const Status of ["FAILED", "DECLINED", "REJECTED", "CANCELLED"]) {
      await bank.takeEvents();
      expect((await record(pay({ Status }))).result.Status).toBe(Status);
      expect(await bank.takeEvents()).toHaveLength(1);
    }
    expect([await payerBalances(), await payeeBalances()]).toMatchObject([{ balance: 0 }, { balance: 0 }]);
  });

  it("does not move money that an account's status forbids (D-26)", async () => {
    for (const status of accountStatuses) {
      for (const Status of ["COMPLETED", "PENDING"]) {
        const allowed = movementsAllowed[status];
        for (const [account, side] of [
          [payer, "debit"],
          [payee, "credit"],
        ] as const) {
          await setStatus(account, status);
          const before = [await payerBalances(), await payeeBalances()];
          await bank.takeEvents();
          const { error } = await record(pay({ Status, amount: 1 }));
          if (allowed.includes(side)) {
            expect(error).toBeUndefined();
          } else {
            expect(error).toMatchObject({
              code: "CONFLICT",
              data: { reason: "account-status", accountNumber: account.accountNumber, status, side },
            });
            expect([await payerBalances(), await payeeBalances()]).toEqual(before);
            expect(await bank.takeEvents()).toEqual([]);
          }
          await setStatus(account, "ACTIVE");
        }
      }
    }
    await expectSound(bank);
  });

  it("takes charges that exceed a credit for the debit that they are (D-26)", async () => {
    const Fees = [{ Amount: 5, Currency: "USD" }];
    const charged = () => transfer(undefined, payer.accountNumber, { amount: 1, Fees });
    for (const status of ["CURTAILED", "DORMANT"]) {
      await setStatus(payer, status);
      for (const Status of ["COMPLETED", "PENDING"]) {
        expect((await record({ ...charged(), Status })).error).toMatchObject({
          code: "CONFLICT",
          data: { reason: "account-status", status, side: "debit" },
        });
      }
    }
    expect(await payerBalances()).toMatchObject({ balance: 0 });
    await setStatus(payer, "ACTIVE");
    expect((await record(charged())).error).toBeUndefined();
    expect(await payerBalances()).toMatchObject({ balance: -4 });
  });

  it("takes a transaction that moves nothing whatever the status of its accounts", async () => {
    await setStatus(payer, "BLOCKED");
    expect((await record(pay({ Status: "DECLINED" }))).error).toBeUndefined();
  });

  it("wakes a dormant account by a credit, with its event (D-26)", async () => {
    await setStatus(payee, "DORMANT");
    await bank.takeEvents();
    await record(pay({ Status: "PENDING" }));
    expect((await payeeBalances()).status).toBe("DORMANT");
    expect((await bank.takeEvents()).map(({ name }) => name)).toEqual(["Transaction.NEW"]);
    await record(pay({ amount: 5 }));
    expect(await payeeBalances()).toMatchObject({ status: "ACTIVE", balance: 5 });
    expect(await bank.takeEvents()).toMatchObject([
      { name: "Transaction.NEW" },
      {
        name: "Account.UPDATE",
        topics: [payee.accountNumber],
        payload: { status: "ACTIVE", balance: 5 },
      },
    ]);
  });

  it("refuses what is not there, fees included, where accounts.overdraft says so", async () => {
    bank = await strict();
    await record(transfer(undefined, payer.accountNumber, { amount: 101.1 }));
    const Fees = [{ Amount: 1, Currency: "USD", Tax: 0.1 }];
    const tooMuch = await record(pay({ Fees, amount: 100.01 }));
    expect(tooMuch.error).toMatchObject({
      code: "CONFLICT",
      data: { reason: "insufficient-balance", accountNumber: payer.accountNumber },
    });
    expect(await payerBalances()).toMatchObject({ balance: 101.1 });
    expect((await record(pay({ Fees }))).error).toBeUndefined();
    expect(await payerBalances()).toMatchObject({ balance: 0 });
    expect((await record(pay({ Status: "FAILED" }))).error).toBeUndefined();
    await raiseMinimum(payer);
    expect((await record(transfer(undefined, payer.accountNumber))).error).toBeUndefined();
    expect((await record(pay())).error).toMatchObject({ data: { reason: "insufficient-balance" } });
    await expectSound(bank);
  });

  it("refuses charges above a credit that its account cannot bear", async () => {
    bank = await strict();
    const Fees = [{ Amount: 5, Currency: "USD" }];
    const charged = transfer(undefined, payer.accountNumber, { amount: 1, Fees });
    for (const Status of ["COMPLETED", "PENDING"])
      expect((await record({ ...charged, Status })).error).toMatchObject({
        code: "CONFLICT",
        data: { reason: "insufficient-balance", accountNumber: payer.accountNumber },
      });
    expect(await payerBalances()).toMatchObject({ balance: 0 });
  });

  it.each([
    ["CHECKING", "insufficient-balance"],
    ["SAVINGS", "insufficient-balance"],
    ["CREDIT_CARD", undefined],
    ["GL", undefined],
  ])("an account of type %s without money is debited: %s", async (accountType, reason) => {
    bank = await strict();
    const { accountNumber } = await openAccount(bank, CustomerId, { accountType });
    const { error } = await record(transfer(accountNumber, payee.accountNumber));
    expect(error?.data?.reason).toBe(reason);
  });

  describe("repeated with the same reference", () => {
    it("gives the first answer and does nothing, whatever the order and spelling of its members", async () => {
      const payload = pay({ amount: 12.5, Status: "PENDING" });
      const first = await record(payload);
      await decide(payload.ReferenceId, "COMPLETED");
      await bank.takeEvents();
      const reordered = JSON.stringify(
        Object.fromEntries(Object.entries({ CustomerId, ...payload }).toReversed()),
      ).replace('"Amount":12.5', '"AMOUNT":1.250e1');
      const again = await bank.operator("RecordTransaction", reordered);
      expect(again.result).toEqual(first.result);
      expect(await bank.takeEvents()).toEqual([]);
      expect((await payerBalances()).balance).toBe(-12.5);
    });

    it("is a CONFLICT with any other content", async () => {
      const payload = pay();
      await record(payload);
      for (const change of [
        { InstructedAmount: { Amount: 100.01, Currency: "USD" } },
        { Status: "PENDING" },
        { type: "DEPOSIT" },
        { credit: true },
        { TimeStamp: "2026-03-02T13:15:27.000Z" },
        { Fees: [{ Amount: 1, Currency: "USD" }] },
        { CreditorAccount: { ...payload.CreditorAccount, Reference: "x" } },
      ]) {
        expect((await record({ ...payload, ...change })).error).toMatchObject({
          code: "CONFLICT",
          data: { field: "/ReferenceId", reason: "taken" },
        });
      }
      const wrong = { ...payload, InstructedAmount: { Amount: 0.001, Currency: "USD" } };
      expect((await record(wrong)).error?.code).toBe("BAD_INPUT");
      expect((await payerBalances()).balance).toBe(-100);
    });

    it("at the same time moves the money once", async () => {
      const payload = pay();
      const answers = await Promise.all(Array.from({ length: 10 }, () => record(payload)));
      expect(new Set(answers.map(({ result }) => result.TransactionId)).size).toBe(1);
      expect((await payerBalances()).balance).toBe(-100);
      const others = await Promise.all(
        [1, 2, 3].map((amount) => record(pay({ amount, ReferenceId: "ONE-OF-THREE" }))),
      );
      expect(others.filter(({ error }) => error?.code === "CONFLICT")).toHaveLength(2);
      await expectSound(bank);
    });

    it("is another transaction in another institution", async () => {
      const payload = pay();
      await record(payload);
      const theirs = await bank.operator("RecordTransaction", { CustomerId, ...payload }, "other-operator");
      expect(theirs.error?.code).toBe("NOT_FOUND_CUSTOMER");
    });
  });

  it("refuses amounts that are no money to move", async () => {
    for (const [amount, currency, field, reason] of [
      [0, "USD", "/InstructedAmount/Amount", "not-positive"],
      [-1, "USD", "/InstructedAmount/Amount", "not-positive"],
      [0.001, "USD", "/InstructedAmount/Amount", "too-many-decimals"],
      [999_999_999_999_999, "CLF", "/InstructedAmount/Amount", "too-large"],
      [1, "XXX", "/InstructedAmount/Currency", "unknown-currency"],
      [1, "EUR", "/InstructedAmount/Currency", "account-currency"],
    ] as const) {
      expect((await record(pay({ amount, currency }))).error).toMatchObject({
        code: "BAD_INPUT",
        data: { field, reason },
      });
    }
  });

  it("refuses fees that are none", async () => {
    for (const [fee, field] of [
      [{ Amount: -1, Currency: "USD" }, "/Fees/0/Amount"],
      [{ Amount: 1, Currency: "EUR" }, "/Fees/0/Currency"],
      [{ Amount: 1, Currency: "nope" }, "/Fees/0/Currency"],
      [{ Amount: 1.001, Currency: "USD" }, "/Fees/0/Amount"],
      [{ Amount: 1, Currency: "USD", Tax: 0.001 }, "/Fees/0/Tax"],
      [{ Amount: 1, Currency: "USD", Tax: -0.1 }, "/Fees/0/Tax"],
    ] as const) {
      expect((await record(pay({ Fees: [fee] }))).error).toMatchObject({
        code: "BAD_INPUT",
        data: { field },
      });
    }
  });

  it("refuses sides that are no two accounts of the customer's business", async () => {
    const third = await openAccount(bank, await openConsumer(bank));
    const unknown = { AccountNumber: "1", InstitutionId: firstBank };
    for (const [payload, code, field] of [
      [pay({ DebtorAccount: unknown }), "NOT_FOUND_ACCOUNT", "/DebtorAccount/AccountNumber"],
      [pay({ CreditorAccount: unknown }), "NOT_FOUND_ACCOUNT", "/CreditorAccount/AccountNumber"],
      [pay({ CustomerId: "nobody" }), "NOT_FOUND_CUSTOMER", "/CustomerId"],
      [transfer(payer.accountNumber, payer.accountNumber), "BAD_INPUT", "/CreditorAccount/AccountNumber"],
      [transfer(undefined, undefined), "BAD_INPUT", "/CreditorAccount/AccountNumber"],
      [transfer(third.accountNumber, payee.accountNumber), "BAD_INPUT", "/CustomerId"],
    ] as const) {
      expect((await record(payload)).error).toMatchObject({ code, data: { field } });
    }
    const { accounts } = (await bank.ledger("AccountService.ListAccounts", { filter: "balance != 0" }))
      .result;
    expect(accounts).toEqual([]);
  });

  it("keeps balances within 15 digits, so that each can be answered (D-37)", async () => {
    const currency = "USD";
    const most = { amount: 9_999_999_999_999.99, currency };
    const [rich, poor] = [
      await openAccount(bank, CustomerId, { currency }),
      await openAccount(bank, CustomerId, { currency }),
    ];
    const limit = { code: "CONFLICT", data: { reason: "balance-limit" } };
    await record(transfer(undefined, rich.accountNumber, most));
    expect(
      (await record(transfer(undefined, rich.accountNumber, { ...most, amount: 0.01 }))).error,
    ).toMatchObject(limit);
    expect((await record(transfer(poor.accountNumber, rich.accountNumber, most))).error).toMatchObject(limit);
    const hold = transfer(poor.accountNumber, undefined, { ...most, Status: "PENDING" });
    expect((await record(hold)).error).toBeUndefined();
    expect((await record({ ...hold, ReferenceId: "again" })).error).toMatchObject(limit);
    expect(await balancesOf(bank, rich.ID)).toMatchObject({ balance: most.amount });
    const holdRich = transfer(rich.accountNumber, undefined, { ...most, Status: "PENDING" });
    expect((await record(holdRich)).error).toBeUndefined();
    expect((await record({ ...holdRich, ReferenceId: "twice" })).error).toMatchObject(limit);
    const small = await openAccount(bank, CustomerId, { currency });
    const one = transfer(small.accountNumber, rich.accountNumber, { currency, amount: 0.01 });
    expect((await record(one)).error).toMatchObject(limit);
    await expectSound(bank);
  });
});

describe("UpdateTransactionStatus", () => {
  it("leaves PENDING for any other, which is final (D-27)", async () => {
    for (const from of statuses) {
      for (const to of statuses) {
        const payload = pay({ Status: from });
        await record(payload);
        await bank.takeEvents();
        const { result, error } = await decide(payload.ReferenceId, to);
        const names = (await bank.takeEvents()).map(({ name }) => name);
        if (from === to) {
          expect([result.Status, names]).toEqual([to, []]);
        } else if (from === "PENDING") {
          expect([result.Status, names]).toEqual([to, ["Transaction.UPDATE"]]);
          const found = await bank.ledger("TransactionService.GetTransactionsByRef", {
            ReferenceId: payload.ReferenceId,
          });
          expect(found.result).toEqual({
            ...payload,
            CustomerId,
            Fees: [],
            TransactionId: result.TransactionId,
            Status: to,
          });
        } else {
          expect(error).toMatchObject({
            code: "CONFLICT",
            data: { field: "/Status", reason: "final-status" },
          });
          expect(names).toEqual([]);
        }
      }
    }
    await expectSound(bank);
  });

  it("posts what was on hold, fees included, or releases it", async () => {
    for (const [Status, balance] of [
      ["REJECTED", 0],
      ["COMPLETED", -101.1],
      ["CANCELLED", -101.1],
    ] as const) {
      const Fees = [{ Amount: 1, Currency: "USD", Tax: 0.1 }];
      const payload = pay({ Status: "PENDING", Fees });
      const before = await payerBalances();
      await record(payload);
      expect(await payerBalances()).toMatchObject({
        ledgerBalance: before.ledgerBalance,
        holdBalance: 101.1,
      });
      await decide(payload.ReferenceId, Status);
      expect(await payerBalances()).toMatchObject({ balance, ledgerBalance: balance, holdBalance: 0 });
    }
    expect((await payeeBalances()).balance).toBe(100);
    await expectSound(bank);
  });

  it("covers a hold when it begins, and asks no second time when it is posted (accounts.overdraft)", async () => {
    bank = await strict();
    await record(transfer(undefined, payer.accountNumber, { amount: 100 }));
    const held = pay({ Status: "PENDING" });
    expect((await record(held)).result).toBeDefined();
    const more = await record(pay({ Status: "PENDING", amount: 0.01 }));
    expect(more.error).toMatchObject({ data: { reason: "insufficient-balance" } });
    expect((await decide(held.ReferenceId, "COMPLETED")).error).toBeUndefined();
    expect(await payerBalances()).toMatchObject({ balance: 0, holdBalance: 0 });
    await expectSound(bank);
  });

  it("asks again whether charges that exceed a pending credit are covered: nothing holds them", async () => {
    bank = await strict();
    await record(transfer(undefined, payer.accountNumber, { amount: 100 }));
    const Fees = [{ Amount: 5, Currency: "USD" }];
    const pending = transfer(undefined, payer.accountNumber, { amount: 1, Fees, Status: "PENDING" });
    expect((await record(pending)).error).toBeUndefined();
    await record(pay({ amount: 98 }));
    expect((await decide(pending.ReferenceId, "COMPLETED")).error).toMatchObject({
      code: "CONFLICT",
      data: { reason: "insufficient-balance", accountNumber: payer.accountNumber },
    });
    expect(await payerBalances()).toMatchObject({ balance: 2 });
    await expectSound(bank);
  });

  it("stays PENDING where an account's status has come to forbid it (D-26)", async () => {
    const payload = pay({ Status: "PENDING" });
    await record(payload);
    await setStatus(payer, "SUSPENDED");
    await bank.takeEvents();
    expect((await decide(payload.ReferenceId, "COMPLETED")).error).toMatchObject({
      code: "CONFLICT",
      data: { reason: "account-status", status: "SUSPENDED" },
    });
    expect(await payerBalances()).toMatchObject({ holdBalance: 100, ledgerBalance: 0 });
    expect(await bank.takeEvents()).toEqual([]);
    expect((await decide(payload.ReferenceId, "CANCELLED")).error).toBeUndefined();
    expect(await payerBalances()).toMatchObject({ holdBalance: 0, ledgerBalance: 0 });
  });

  it("does not find an unknown transaction", async () => {
    const payload = pay();
    await record(payload);
    expect((await decide("none", "COMPLETED")).error?.code).toBe("NOT_FOUND_TRANSACTION");
    expect((await decide(payload.ReferenceId, "COMPLETED", "other-operator")).error?.code).toBe(
      "NOT_FOUND_TRANSACTION",
    );
  });
});

describe("GetTransactionsByRef", () => {
  it("finds the transactions of the caller's customers only (D-08)", async () => {
    await bank.addUser({ userName: "payer-app", groups: [CustomerId] });
    await bank.addUser({ userName: "stranger-app", groups: [await openConsumer(bank)] });
    const { ReferenceId } = (await record(pay())).result;
    const get = (reference: string, by: string) =>
      bank.ledger("TransactionService.GetTransactionsByRef", { ReferenceId: reference }, by);
    expect((await get(ReferenceId, "payer-app")).error).toBeUndefined();
    for (const [reference, by] of [
      [ReferenceId, "stranger-app"],
      [ReferenceId, "other-teller"],
      ["none", "teller"],
    ] as const) {
      expect((await get(reference, by)).error).toMatchObject({
        code: "NOT_FOUND_TRANSACTION",
        message: errors.NOT_FOUND_TRANSACTION.message,
      });
    }
  });
});

describe("an operator bound to customers", () => {
  it("moves no money of others", async () => {
    await bank.addUser({ userName: "branch", realm: "operator", groups: [CustomerId] });
    const pull = transfer(payee.accountNumber, payer.accountNumber);
    expect((await record(pull, "branch")).error).toMatchObject({
      code: "NOT_FOUND_ACCOUNT",
      data: { field: "/DebtorAccount/AccountNumber" },
    });
    expect((await record(transfer(payer.accountNumber, undefined), "branch")).error).toBeUndefined();
    expect(outside).not.toBe(firstBank);
  });
});
