import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { apiKeysOfUser, invitationOfUser, signingKeysOfUser } from "../../runtime/store/tables/index.ts";
import { firstBank, openBank, type Answer, type Bank } from "./handlers-bank.ts";

let bank: Bank;

beforeEach(async () => {
  bank = await openBank();
});

interface Guest {
  readonly userName: string;
  readonly token: string;
}

async function invite(asked: object = {}, by?: string): Promise<Guest & { readonly expiresAt: string }> {
  const { result, error } = await bank.operator(
    "InviteUser",
    { userName: "guest", email: "guest@northwind.example", ...asked },
    by,
  );
  expect(error).toBeUndefined();
  return { ...guestOf(result.link), expiresAt: result.expiresAt };
}

function guestOf(link: string): Guest {
  const [path, userName = "", token = ""] = link.split(/(?<=invitation)\/|\/(?=[^/]*$)/);
  expect(path).toBe("/partner/#/invitation");
  return { userName, token };
}

interface Pair {
  readonly privateKey: KeyObject;
  readonly pem: string;
}

function newPair(): Pair {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { privateKey, pem: publicKey.export({ type: "spki", format: "pem" }).toString() };
}

/** Accepts by the token, signed by the private half of the key that is presented, or of another. */
function accept({ userName, token }: Guest, pair = newPair(), { privateKey } = pair): Promise<Answer> {
  const by = { userName, apiKey: token, keyId: "new", privateKey };
  return bank.partner("AcceptInvitation", { PublicKey: pair.pem }, by);
}

const rejected = { code: "BAD_CREDENTIAL" };
const used = { code: "CONFLICT", data: { reason: "invitation-used" } };

describe("an invitation", () => {
  test("gives its user a key and an API key, with which the user calls", async () => {
    const guest = await invite({ scopes: ["ListKeys"], validHours: 24 });
    expect(guest).toEqual({
      userName: `${firstBank}.guest`,
      token: expect.stringMatching(/^[0-9a-f]{32}$/),
      expiresAt: new Date(bank.clock.now() + 24 * 3_600_000).toISOString(),
    });
    const stored = await bank.store.read((view) => view.one(invitationOfUser, guest.userName));
    expect(JSON.stringify(stored), "the token is stored nowhere").not.toContain(guest.token);
    const pair = newPair();
    const { result } = await accept(guest, pair);
    expect(result).toEqual({
      userName: guest.userName,
      KeyId: expect.any(String),
      apiKeyId: expect.any(String),
      apiKey: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const { privateKey } = pair;
    const by = { userName: guest.userName, apiKey: result.apiKey, keyId: result.KeyId, privateKey };
    expect((await bank.partner("ListKeys", {}, by)).result).toMatchObject({
      scopes: ["ListKeys"],
      apiKeys: [{ apiKeyId: result.apiKeyId }],
      keys: [{ KeyId: result.KeyId, status: "ACTIVE" }],
    });
  });

  test("is good for one use, also where two use it at once", async () => {
    const guest = await invite();
    const answers = await Promise.all([accept(guest), accept(guest), accept(guest)]);
    expect(answers.filter(({ result }) => result !== undefined)).toHaveLength(1);
    for (const { error } of answers.filter((answer) => answer.error !== undefined))
      expect(error).toMatchObject(used);
    const keys = await bank.store.read(async (view) => [
      ...(await signingKeysOfUser(view, guest.userName)),
      ...(await apiKeysOfUser(view, guest.userName)),
    ]);
    expect(keys).toHaveLength(2);
    expect((await accept(guest)).error).toMatchObject(used);
  });

  test("is refused while the partner interface is off, and nothing is kept of it", async () => {
    const closed = await openBank({ partnerInterface: "off" });
    const asked = { userName: "guest", email: "guest@northwind.example" };
    const refused = { code: "CONFLICT", data: { reason: "partner-interface-off" } };
    expect((await closed.operator("InviteUser", asked)).error).toMatchObject(refused);
    expect((await closed.operator("GetUser", { userName: `${firstBank}.guest` })).error).toBeDefined();
    const renewed = await closed.operator("RenewInvitation", { userName: `${firstBank}.guest` });
    expect(renewed.error).toMatchObject(refused);
  });

  test("has a whole link where the service knows the address that callers see", async () => {
    const known = await openBank({ partnerOrigin: "https://api.meridian.example" });
    const asked = { userName: "guest", email: "guest@northwind.example" };
    const { result } = await known.operator("InviteUser", asked);
    expect(result.link).toMatch(/^https:\/\/api\.meridian\.example\/partner\/#\/invitation\//);
  });

  test("is good for nothing else", async () => {
    const guest = await invite();
    const { privateKey } = newPair();
    const by = { userName: guest.userName, apiKey: guest.token, keyId: "new", privateKey };
    for (const method of ["ListKeys", "ListSubscriptions", "ListAccounts"])
      expect((await bank.partner(method, {}, by)).error).toMatchObject(rejected);
    expect((await bank.ledger("AccountService.ListAccounts", { PageSize: 1 }, by)).error).toMatchObject(
      rejected,
    );
    expect((await bank.ledger("AccountService.GetAccount", { ID: "x" }, by)).error).toMatchObject(rejected);
  });

  test("is refused without its token, to another user, and once it is over", async () => {
    const guest = await invite();
    const other = await invite({ userName: "other" });
    expect((await accept({ ...guest, token: other.token })).error).toMatchObject(rejected);
    expect((await accept({ ...guest, token: "0".repeat(32) })).error).toMatchObject(rejected);
    expect((await accept({ ...guest, userName: `${firstBank}.nobody` })).error).toMatchObject(rejected);
    expect((await accept({ ...guest, userName: "operator" })).error).toMatchObject(rejected);
    bank.clock.advance(72 * 3_600_000);
    expect((await accept(guest)).error).toMatchObject(rejected);
  });

  test("takes the key whose private half has signed the call, and no other", async () => {
    const guest = await invite();
    const [own, other] = [newPair(), newPair()];
    expect((await accept(guest, own, other)).error).toMatchObject({ code: "INVALID_SIGNATURE" });
    const { userName, token } = guest;
    const byRegistered = { userName, apiKey: token, keyId: "key-teller" };
    expect(
      (await bank.partner("AcceptInvitation", { PublicKey: own.pem }, byRegistered)).error,
    ).toMatchObject({
      code: "INVALID_SIGNATURE",
    });
    const unread = await bank.partner(
      "AcceptInvitation",
      { PublicKey: "none" },
      { ...byRegistered, keyId: "new" },
    );
    expect(unread.error).toBeDefined();
    expect((await accept(guest, own)).error).toBeUndefined();
  });

  test("ends with a newer one, when credentials are revoked, and when there is a credential", async () => {
    const first = await invite();
    const { userName } = first;
    const renewed = guestOf((await bank.operator("RenewInvitation", { userName })).result.link);
    expect((await accept(first)).error).toMatchObject(rejected);
    await bank.operator("RevokeCredential", { userName });
    expect((await accept(renewed)).error).toMatchObject(rejected);
    const third = guestOf((await bank.operator("RenewInvitation", { userName })).result.link);
    await bank.operator("RotateCredential", { userName });
    expect((await accept(third)).error).toMatchObject(used);
    expect((await bank.operator("RenewInvitation", { userName })).error).toMatchObject({
      code: "CONFLICT",
      data: { reason: "has-credential" },
    });
  });

  test("is renewed by an operator who sees the user, and for no operator", async () => {
    const { userName } = await invite();
    const absent = (await bank.operator("RenewInvitation", { userName: `${firstBank}.nobody` })).error;
    expect(absent?.code).toBe("NOT_FOUND_CREDENTIAL");
    expect((await bank.operator("RenewInvitation", { userName }, "other-operator")).error).toEqual(absent);
    expect((await bank.operator("RenewInvitation", { userName: "operator" })).error).toEqual(absent);
    expect((await bank.partner("RenewInvitation", { userName })).error).toBeDefined();
  });

  test("by an operator of some customers is for no more than those", async () => {
    await bank.addUser({ userName: "narrow", realm: "operator", groups: ["c-1"] });
    const guest = await invite({}, "narrow");
    const pair = newPair();
    const { result } = await accept(guest, pair);
    const { privateKey } = pair;
    const by = { userName: guest.userName, apiKey: result.apiKey, keyId: result.KeyId, privateKey };
    expect((await bank.partner("ListAccounts", {}, by)).result.accounts).toEqual([]);
    expect((await bank.operator("GetUser", { userName: guest.userName })).result.user.customerIds).toEqual([
      "c-1",
    ]);
  });

  test("needs a second operator where credentials do", async () => {
    bank = await openBank({ approvals: { credentials: true, accounts: false, validHours: 24 } });
    const asked = { userName: "guest", email: "guest@northwind.example" };
    const needed = { code: "APPROVAL_NEEDED" };
    expect((await bank.operator("InviteUser", asked)).error).toMatchObject(needed);
    expect((await bank.operator("RenewInvitation", { userName: "teller" })).error).toMatchObject(needed);
    const { proposal } = (
      await bank.operator("ProposeChange", { operation: "InviteUser", payload: JSON.stringify(asked) })
    ).result;
    await bank.addUser({ userName: "second", realm: "operator" });
    const { proposalId, digest } = proposal;
    const approved = (await bank.operator("ApproveProposal", { proposalId, digest }, "second")).result;
    expect(JSON.parse(approved.result)).toMatchObject({ userName: `${firstBank}.guest` });
  });
});
