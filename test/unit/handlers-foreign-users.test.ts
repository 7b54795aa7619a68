import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { operatorInterface } from "../../generated/operator/methods.ts";
import type { ObjectShape } from "../../runtime/contract/index.ts";
import { openBank, otherBank, publicKeyPem, type Bank } from "./handlers-bank.ts";
import { openAccount, openBusiness } from "./handlers-people.ts";
import { userByName, apiKeysOfUser, signingKeysOfUser } from "../../runtime/store/tables/index.ts";

/** Fields by which a request names a user, or something of a user's. */
const naming = /^(userName|apiKeyId|keyIds?)$/i;
/** Its userName is of nobody yet. */
const issuing = "IssueCredential";

const document: { readonly methods: readonly DocumentedMethod[] } = JSON.parse(
  readFileSync(new URL("../../generated/operator/openrpc.json", import.meta.url), "utf8"),
);

interface DocumentedMethod {
  readonly name: string;
  readonly examples: readonly {
    readonly params: readonly { readonly name: string; readonly value: Payload }[];
  }[];
}

type Payload = Readonly<Record<string, unknown>>;

let bank: Bank;
let subscriptionId: string;

beforeEach(async () => {
  bank = await openBank();
  await bank.addUser({ userName: "colleague", realm: "operator" });
  await bank.addUser({ userName: "clerk", realm: "operator", institutionId: otherBank });
  const { customerId } = await openBusiness(bank);
  const { accountNumber } = await openAccount(bank, customerId);
  const asked = { name: "S", callbackUrl: "https://hooks.example/", events: ["Account.UPDATE"] };
  const created = await bank.ledger("CreateSubscription", { ...asked, groupId: [accountNumber] });
  subscriptionId = created.result.subscriptionId;
});

function namesUser({ fields }: ObjectShape): boolean {
  return fields.some(({ name, shape }) => naming.test(name) || (shape !== undefined && namesUser(shape())));
}

/** The first example of a method with another user, and what is that user's, in every field that names one. */
function payloadAbout(method: string, userName: string): Payload {
  const example = document.methods.find(({ name }) => name === method)?.examples[0];
  const payload = example?.params.find(({ name }) => name === "payload")?.value ?? {};
  const filled: Payload = { subscriptionId, PublicKey: publicKeyPem.toString() };
  const about: Payload = {
    userName,
    apiKeyId: `api-${userName}`,
    KeyId: `key-${userName}`,
    keyIds: [`key-${userName}`],
  };
  return Object.fromEntries(
    Object.entries({ ...payload }).map(([name, value]) => [name, about[name] ?? filled[name] ?? value]),
  );
}

const keptOf = (userName: string) =>
  bank.store.read(async (view) => [
    await view.one(userByName, userName),
    await apiKeysOfUser(view, userName),
    await signingKeysOfUser(view, userName),
  ]);

const named = Object.values(operatorInterface.methods)
  .filter(({ name, payload, errors }) => {
    const finds = ["NOT_FOUND_CREDENTIAL", "NOT_FOUND_KEY"].some((code) => errors[code] !== undefined);
    return name !== issuing && (finds || namesUser(payload));
  })
  .map(({ name }) => name);

describe("an operation that names a user", () => {
  it("is one of several", () => {
    expect(named).toEqual(
      expect.arrayContaining(["GetUser", "RotateCredential", "RevokeCredential", "RegisterKey", "RevokeKey"]),
    );
  });

  it.each(named)(
    "%s answers alike of operators, of other institutions' users and of nobody",
    async (method) => {
      const told = async (userName: string) => {
        const { result, error } = await bank.operator(method, payloadAbout(method, userName));
        const { requestId: _id, ...data } = { requestId: "", ...error?.data };
        return { result, error: error && { ...error, data } };
      };
      const ofNobody = await told("nobody");
      expect(ofNobody.error?.code ?? JSON.stringify(ofNobody.result)).toMatch(/^NOT_FOUND_|\[\]/);
      for (const userName of ["colleague", "other-teller", "other-operator", "clerk"]) {
        const before = await keptOf(userName);
        expect([userName, await told(userName)]).toEqual([userName, ofNobody]);
        expect(await keptOf(userName)).toEqual(before);
      }
    },
  );
});

describe("an operator's own keys", () => {
  it("are shown, rotated, registered and revoked by the operator alone", async () => {
    const own = { userName: "operator" };
    const rotated = (await bank.operator("RotateCredential", { ...own, overlapSeconds: 0 })).result;
    const by = { ...own, apiKey: String(rotated.apiKey) };
    expect((await bank.operator("ListCustomers", {}, "operator")).error?.code).toBe("BAD_CREDENTIAL");
    const PublicKey = publicKeyPem.toString();
    const { KeyId } = (await bank.operator("RegisterKey", { ...own, PublicKey }, by)).result;
    const revoked = await bank.operator("RevokeKey", { KeyId: "key-operator" }, { ...by, keyId: KeyId });
    expect(revoked.result.status).toBe("REVOKED");
    const { keys } = (await bank.operator("GetUser", own, { ...by, keyId: KeyId })).result;
    expect(keys.map(({ status }: { status: string }) => status).toSorted()).toEqual(["ACTIVE", "REVOKED"]);
    expect((await bank.operator("ListCustomers", {}, by)).error?.code).toBe("NOT_FOUND_USER_DEVICE");
  });
});
