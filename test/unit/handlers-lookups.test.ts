import { beforeEach, describe, expect, it } from "vitest";
import { openBank, publicKeyPem, type Bank } from "./handlers-bank.ts";
import { openAccount, openBusiness, openConsumer } from "./handlers-people.ts";
import { transfer } from "./handlers-transfers.ts";

let bank: Bank;

beforeEach(async () => {
  bank = await openBank();
});

describe("an operator", () => {
  it("lists customers page by page, and one bound to customers sees those alone", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.push((await openBusiness(bank)).customerId);
    ids.push(await openConsumer(bank));
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const { result } = await bank.operator("ListCustomers", { pageSize: 2, ...(after && { after }) });
      seen.push(...result.customers.map(({ customerId }: { customerId: string }) => customerId));
      after = result.next;
    } while (after !== undefined);
    expect(seen).toEqual(expect.arrayContaining(ids));
    expect(seen).toEqual(seen.toSorted());

    const backwards = ids.slice(1, 3).toSorted().toReversed();
    await bank.addUser({ userName: "branch", realm: "operator", groups: backwards });
    const { result } = await bank.operator("ListCustomers", {}, "branch");
    expect(result.customers.map(({ customerId }: { customerId: string }) => customerId)).toEqual(
      ids.slice(1, 3).toSorted(),
    );
    expect((await bank.operator("ListCustomers", { after: "*" })).error).toMatchObject({
      code: "BAD_INPUT",
      data: { field: "/after" },
    });
  });

  it("bound to customers some of whom are gone, lists all others", async () => {
    const ids = [await openConsumer(bank), await openConsumer(bank), await openConsumer(bank)].toSorted();
    await bank.addUser({ userName: "branch", realm: "operator", groups: ["0", ...ids, "1"] });
    const first = (await bank.operator("ListCustomers", { pageSize: 2 }, "branch")).result;
    const second = (await bank.operator("ListCustomers", { pageSize: 2, after: first.next }, "branch"))
      .result;
    expect(
      [first, second].map(({ customers }) =>
        customers.map((each: { customerId: string }) => each.customerId),
      ),
    ).toEqual([ids.slice(0, 2), ids.slice(2)]);
    expect(second.next).toBeUndefined();
  });

  it("reads a user with its keys, and neither a key nor a hash", async () => {
    const { result: issued } = await bank.operator("IssueCredential", {
      userName: "app",
      email: "app@x.example",
    });
    const PublicKey = publicKeyPem.toString();
    const { userName } = issued;
    const { KeyId } = (await bank.operator("RegisterKey", { userName, PublicKey })).result;
    await bank.operator("RevokeKey", { KeyId });
    const { result } = await bank.operator("GetUser", { userName });
    expect(result).toEqual({
      user: expect.objectContaining({ userName, email: "app@x.example", scopes: ["*"] }),
      apiKeys: [{ apiKeyId: issued.apiKeyId, createdDate: expect.any(String) }],
      keys: [expect.objectContaining({ KeyId, status: "REVOKED", revokedDate: expect.any(String) })],
    });
    expect(JSON.stringify(result)).not.toContain(issued.apiKey);
    const { users } = (await bank.operator("ListUsers", { pageSize: 200 })).result;
    expect(users.map((user: { userName: string }) => user.userName)).toContain(userName);
    expect((await bank.operator("GetUser", { userName: "nobody" })).error?.code).toBe("NOT_FOUND_CREDENTIAL");
  });

  it("lists accounts by the documented filter, and the transactions of one", async () => {
    const { customerId } = await openBusiness(bank);
    const filter = `customerID = ${customerId}`;
    expect((await bank.operator("ListAccounts", { filter })).result.accounts).toEqual([]);
    expect((await bank.operator("ListAccounts", { filter: "status =" })).error).toMatchObject({
      code: "BAD_INPUT",
      data: { field: "/filter" },
    });
    expect((await bank.operator("ListTransactions", { accountNumber: "999" })).error).toMatchObject({
      code: "NOT_FOUND_ACCOUNT",
    });
  });

  it("reads an account by its number and a transaction by its reference, as their owner does", async () => {
    const [own, other] = [await openBusiness(bank), await openBusiness(bank)];
    const { ID, accountNumber } = await openAccount(bank, own.customerId);
    const { account: asOwner } = (await bank.ledger("AccountService.GetAccount", { ID })).result;
    expect((await bank.operator("GetAccount", { accountNumber })).result).toEqual({ account: asOwner });
    const ReferenceId = "R-1";
    const deposit = transfer(undefined, accountNumber, { ReferenceId, CustomerId: own.customerId });
    expect((await bank.operator("RecordTransaction", deposit)).error).toBeUndefined();
    const byOwner = await bank.ledger("TransactionService.GetTransactionsByRef", { ReferenceId });
    expect((await bank.operator("GetTransaction", { ReferenceId })).result).toEqual(byOwner.result);

    await bank.addUser({ userName: "branch", realm: "operator", groups: [other.customerId] });
    for (const [method, payload, code] of [
      ["GetAccount", { accountNumber }, "NOT_FOUND_ACCOUNT"],
      ["GetTransaction", { ReferenceId }, "NOT_FOUND_TRANSACTION"],
    ] as const) {
      expect((await bank.operator(method, payload, "branch")).error?.code).toBe(code);
    }
  });
});
