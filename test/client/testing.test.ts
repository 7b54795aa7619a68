import { beforeEach, describe, expect, test } from "vitest";
import { errors } from "../../generated/ledger/errors.ts";
import { examples } from "../../generated/ledger/client/examples.ts";
import {
  LedgerClient,
  NotFoundAccountError,
  UnauthorizedError,
  UnavailableError,
} from "../../generated/ledger/client/index.ts";
import * as schemas from "../../generated/ledger/client/schemas.ts";
import { FakeLedger } from "../../generated/ledger/client/testing.ts";
import { FakePartner } from "../../generated/partner/client/testing.ts";

let fake: FakeLedger;
let client: LedgerClient;
beforeEach(() => {
  fake = new FakeLedger();
  client = fake.client;
});

const savings = { name: "Rainy days", accountType: "SAVINGS", currency: "EUR" } as const;

describe("a fake service", () => {
  test("answers what the examples of the interface get", async () => {
    const { account } = await client.account.get({ ID: fake.samples.accountId });
    expect(account).toMatchObject({ id: fake.samples.accountId, number: fake.samples.accountNumber });
    expect(schemas.GetAccountResult.safeParse({ account }).success).toBe(true);
    const absent = examples.methods
      .find(({ name }) => name === "AccountService.GetAccount")
      ?.examples.find(({ error }) => error === "NOT_FOUND_ACCOUNT");
    const refused = client.call("AccountService.GetAccount", { ID: "", ...Object(absent?.payload) });
    await expect(refused).rejects.toMatchObject({
      code: "NOT_FOUND_ACCOUNT",
      message: examples.errors["NOT_FOUND_ACCOUNT"]?.message,
      requestId: "fake-2",
    });
  });

  test("answers any other payload with the method's first result", async () => {
    const { account } = await client.account.get({ ID: "another" });
    expect(account.id).toBe(fake.samples.accountId);
    const source = await client.getSource({ id: "another" });
    expect(source).toMatchObject({ id: fake.samples.sourceId });
  });

  test("records what it is asked for, in order", async () => {
    await client.account.get({ ID: "1" }, { id: "mine" });
    await client.getSource({ source: "core" });
    expect(fake.calls).toEqual([
      { method: "AccountService.GetAccount", id: "mine", payload: { ID: "1" } },
      { method: "GetSource", id: undefined, payload: { source: "core" } },
    ]);
  });

  test("answers what a test wants it to", async () => {
    const { accountId: ID } = fake.samples;
    fake.refuse("AccountService.GetAccount", "UNAUTHORIZED");
    const refused: unknown = await client.account.get({ ID }).catch((error: unknown) => error);
    expect(refused instanceof UnauthorizedError).toBe(true);
    expect(refused).toMatchObject({ message: errors.UNAUTHORIZED.message });
    fake.answer("AccountService.GetAccount", ({ ID: id }) => {
      throw new NotFoundAccountError(`no ${id}`, { field: "/ID" });
    });
    await expect(client.account.get({ ID })).rejects.toMatchObject({ message: `no ${ID}`, field: "/ID" });
    const { account } = fake.exampleResult("AccountService.GetAccount");
    fake.answer("AccountService.GetAccount", () => ({ account: { ...account, status: "CLOSED" } }));
    expect((await client.account.get({ ID })).account).toEqual({ ...account, status: "CLOSED" });
    fake.restore("AccountService.GetAccount");
    expect((await client.account.get({ ID })).account).toEqual(account);
  });

  test("loses answers, and gives a call that makes something its first result again", async () => {
    let made = 0;
    fake.answer("CustomerService.AddAccount", () => {
      made += 1;
      return { ...fake.exampleResult("CustomerService.AddAccount"), ID: `account-${made}` };
    });
    const payload = { ...savings, customerID: fake.samples.consumerCustomerId };
    fake.loseAnswers(2);
    expect(await client.customer.addAccount(payload)).toMatchObject({ ID: "account-1" });
    expect([made, fake.calls.length]).toEqual([1, 3]);
    expect(await client.customer.addAccount(payload)).toMatchObject({ ID: "account-2" });
    fake.loseAnswers(1);
    const impatient = new LedgerClient({ ...fake.options, attemptsMax: 1 });
    const lost = impatient.account.get({ ID: fake.samples.accountId });
    await expect(lost).rejects.toMatchObject({ name: "NetworkError" });
  });

  test("answers a call anew that it refused before", async () => {
    let asked = 0;
    fake.answer("CustomerService.AddAccount", () => {
      asked += 1;
      if (asked === 1) throw new UnavailableError("later");
      return fake.exampleResult("CustomerService.AddAccount");
    });
    const payload = { ...savings, customerID: fake.samples.consumerCustomerId };
    const expected = fake.exampleResult("CustomerService.AddAccount");
    expect(await client.customer.addAccount(payload)).toEqual(expected);
    expect(asked).toBe(2);
  });

  test("is made for every interface", async () => {
    const partner = new FakePartner();
    expect(await partner.client.listKeys({})).toEqual(partner.exampleResult("ListKeys"));
  });
});

describe("every example of the interface", () => {
  test.each(examples.methods.map(({ name, examples: own }) => [name, own] as const))(
    "of %s is answered as it says",
    async (name, own) => {
      for (const { payload, result, error } of own) {
        const answer = await client.raw(...rawCall(name, payload));
        const code = answer.envelope?.error?.code;
        expect(code, JSON.stringify(payload)).toBe(error);
        const isFlat = examples.methods.find((method) => method.name === name)?.selectedBy !== undefined;
        if (error === undefined) expect(isFlat ? answer.envelope : answer.envelope?.result).toEqual(result);
      }
    },
  );
});

/** The arguments of a call whose method is known at run time only. */
function rawCall(name: string, payload: unknown): Parameters<LedgerClient["raw"]> {
  return JSON.parse(JSON.stringify([name, payload]));
}
