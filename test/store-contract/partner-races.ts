import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openBank, type Answer, type Bank } from "../unit/handlers-bank.ts";
import { northwind } from "../unit/handlers-people.ts";
import type { StoreUnderTest } from "./store-under-test.ts";

/** What a partner may do once, asked for several times at once: the store decides who was first. */
export function describePartnerRaces(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(name, () => {
    let opened: StoreUnderTest;
    let bank: Bank;
    beforeEach(async () => {
      opened = await open();
      bank = await openBank({}, opened.store);
    });
    afterEach(() => opened.dispose());

    test("one invitation gives one key", async () => {
      const asked = { userName: "guest", email: "guest@northwind.example" };
      const { link, userName } = (await bank.operator("InviteUser", asked)).result;
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => {
          const { privateKey, pem } = newPair();
          const by = { userName, apiKey: link.split("/").at(-1), keyId: "new", privateKey };
          return bank.partner("AcceptInvitation", { PublicKey: pem }, by);
        }),
      );
      expectOne(answers, "CONFLICT");
      expect((await bank.operator("GetUser", { userName })).result).toMatchObject({
        apiKeys: [{ apiKeyId: expect.any(String) }],
        keys: [{ status: "ACTIVE" }],
      });
    });

    test("one challenge gives one key", async () => {
      const { privateKey, pem: PublicKey } = newPair();
      const { challenge } = (await bank.partner("StartKeyRegistration", { PublicKey })).result;
      const proof = sign("sha256", Buffer.from(challenge), privateKey).toString("base64");
      const asked = { PublicKey, challenge, proof };
      expectOne(await atOnce(4, () => bank.partner("RegisterKey", asked)), "BAD_INPUT");
      expect((await bank.partner("ListKeys", {})).result.keys).toHaveLength(2);
    });

    test("one of the last two keys stays", async () => {
      const { privateKey, pem: PublicKey } = newPair();
      const { KeyId } = (await bank.operator("RegisterKey", { userName: "teller", PublicKey })).result;
      const signed = { userName: "teller", keyId: KeyId, privateKey };
      const answers = await Promise.all([
        bank.partner("RevokeKey", { KeyId: "key-teller" }),
        bank.partner("RevokeKey", { KeyId }, signed),
      ]);
      expectOne(answers, "CONFLICT");
      const keys: readonly { status: string }[] = (await bank.operator("GetUser", { userName: "teller" }))
        .result.keys;
      expect(keys.map(({ status }) => status).toSorted()).toEqual(["ACTIVE", "REVOKED"]);
    });

    test("a secret is shown once", async () => {
      const { customerId: customerID } = (await bank.operator("CreateCustomer", northwind)).result;
      const opening = { customerID, name: "Desk", accountType: "CHECKING", currency: "USD" };
      const { accountNumber } = (await bank.ledger("CustomerService.AddAccount", opening)).result;
      const callbackUrl = "https://hooks.northwind.example/ledger";
      const wanted = { name: "One", callbackUrl, events: ["Account.UPDATE"], groupId: [accountNumber] };
      const { subscriptionId } = (await bank.partner("CreateSubscription", wanted)).result;
      const reveal = () => bank.partner("RevealSubscriptionSecret", { subscriptionId });
      expectOne(await atOnce(4, reveal), "CONFLICT");
    });
  });
}

function newPair(): { readonly privateKey: KeyObject; readonly pem: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { privateKey, pem: publicKey.export({ type: "spki", format: "pem" }).toString() };
}

function atOnce(times: number, ask: () => Promise<Answer>): Promise<readonly Answer[]> {
  return Promise.all(Array.from({ length: times }, ask));
}

/** One was answered with a result, and the others with an error of this code. */
function expectOne(answers: readonly Answer[], code: string): void {
  const codes = answers.map(({ error }) => error?.code ?? "success").toSorted();
  expect(codes).toEqual([...Array(answers.length - 1).fill(code), "success"].toSorted());
}
