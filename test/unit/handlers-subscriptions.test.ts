import { beforeEach, describe, expect, it } from "vitest";
import { errors } from "../../generated/ledger/errors.ts";
import { openBank, type Answer, type Bank } from "./handlers-bank.ts";
import { openAccount, openBusiness, openConsumer } from "./handlers-people.ts";
import { subscriptionById } from "../../runtime/store/tables/index.ts";

let bank: Bank;
let number: string;

beforeEach(async () => {
  bank = await openBank();
  number = (await openAccount(bank, (await openBusiness(bank)).customerId)).accountNumber;
});

function subscribe(payload: object = {}, by?: string): Promise<Answer> {
  const standard = {
    name: "Treasury",
    callbackUrl: "https://hooks.example/ledger",
    events: ["Account.NEW", "Account.UPDATE", "Account.NEW"],
    groupId: [number, number],
  };
  return bank.ledger("CreateSubscription", { ...standard, ...payload }, by);
}

describe("CreateSubscription", () => {
  it("keeps the subscription with a secret of its own, sealed", async () => {
    const { result } = await subscribe({ remarks: "Feeds the desk" });
    expect(result).toEqual({
      response: expect.stringContaining("success"),
      subscriptionId: expect.any(String),
    });
    const kept = await bank.store.read((view) =>
      view.one(subscriptionById, "091000019", result.subscriptionId),
    );
    expect(kept).toMatchObject({
      userName: "teller",
      name: "Treasury",
      callbackUrl: "https://hooks.example/ledger",
      events: ["Account.NEW", "Account.UPDATE"],
      groupId: [number],
      remarks: "Feeds the desk",
      enabled: true,
    });
    expect(kept?.secretSealed).not.toContain("whsec_");
  });

  it("refuses addresses that are not public https (D-44)", async () => {
    for (const [callbackUrl, reason] of [
      ["http://hooks.example/", "scheme"],
      ["https://user@hooks.example/", "format"],
      ["https://127.0.0.1/", "network"],
      ["https://[::1]/", "network"],
      ["https://169.254.169.254/", "network"],
    ] as const) {
      expect((await subscribe({ callbackUrl })).error).toMatchObject({
        code: "BAD_INPUT",
        message: errors.BAD_INPUT.message.replace("{field}", "callbackUrl"),
        data: { field: "/callbackUrl", reason },
      });
    }
  });

  it("takes http and configured networks in a sandbox", async () => {
    bank = await openBank({ httpCallbacks: true, callbackNetworksAllowed: ["127.0.0.0/8"] });
    number = (await openAccount(bank, await openConsumer(bank))).accountNumber;
    expect((await subscribe({ callbackUrl: "http://127.0.0.1:9000/hook" })).error).toBeUndefined();
    expect((await subscribe({ callbackUrl: "http://10.0.0.1/" })).error?.code).toBe("BAD_INPUT");
  });

  it("refuses accounts that the caller cannot see (D-40)", async () => {
    await bank.addUser({ userName: "consumer-app", groups: [await openConsumer(bank)] });
    for (const answer of [
      await subscribe({ groupId: [number, "1"] }),
      await subscribe({ groupId: ["1", number] }, "other-teller"),
      await subscribe({}, "consumer-app"),
    ]) {
      const { message } = errors.NOT_FOUND_ACCOUNT;
      expect(answer.error).toMatchObject({ code: "NOT_FOUND_ACCOUNT", message });
    }
    expect((await subscribe({ groupId: [number, "1"] })).error?.data?.field).toBe("/groupId/1");
  });

  it("refuses unknown and empty lists of events and accounts", async () => {
    for (const payload of [{ events: [] }, { events: ["Account.GONE"] }, { groupId: [] }]) {
      expect((await subscribe(payload)).error?.code).toBe("BAD_INPUT");
    }
  });
});
