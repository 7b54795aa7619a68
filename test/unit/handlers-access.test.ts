import { generateKeyPairSync } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { newOneTimePassword } from "../../ledger/handlers/services/users.ts";
import { firstBank, openBank, otherBank, publicKeyPem, type Answer, type Bank } from "./handlers-bank.ts";
import { openBusiness, openConsumer } from "./handlers-people.ts";
import { apiKeysOfUser, userByName, institutions, deviceKeyById } from "../../runtime/store/tables/index.ts";

let bank: Bank;
/** What the first bank's user is called that is issued as `app`. */
const app = `${firstBank}.app`;

beforeEach(async () => {
  bank = await openBank();
});

function listAccounts(by: Parameters<Bank["ledger"]>[2]): Promise<Answer> {
  return bank.ledger("AccountService.ListAccounts", { PageNumber: 1 }, by);
}

describe("credentials", () => {
  const issued = (payload: object = {}, by?: string) =>
    bank.operator("IssueCredential", { userName: "app", email: "app@x.example", ...payload }, by);

  async function withKey(userName: string): Promise<string> {
    const PublicKey = publicKeyPem.toString();
    return (await bank.operator("RegisterKey", { userName, PublicKey })).result.KeyId;
  }

  it("open the documented interface once they have a key", async () => {
    // Whoever is unknown is remembered as unknown, until there is a credential.
    expect((await listAccounts({ userName: app })).error?.code).toBe("BAD_CREDENTIAL");
    const { result } = await issued();
    expect(result).toEqual({
      userName: app,
      apiKeyId: expect.any(String),
      apiKey: expect.stringMatching(/^[0-9a-f]{32}$/),
      credential: `Basic ${Buffer.from(`${app}:${result.apiKey}`).toString("base64")}`,
    });
    const by = { userName: app, apiKey: result.apiKey };
    expect((await listAccounts(by)).error?.code).toBe("NOT_FOUND_USER_DEVICE");
    const keyId = await withKey(app);
    expect((await listAccounts({ ...by, keyId })).error).toBeUndefined();
  });

  it("keep only the hash of the API key", async () => {
    const { apiKey } = (await issued()).result;
    const keys = await bank.store.read((view) => apiKeysOfUser(view, app));
    expect(JSON.stringify(keys)).not.toContain(apiKey);
  });

  it("are limited to scopes and customers", async () => {
    const { customerId } = await openBusiness(bank);
    const scoped = await issued({ scopes: ["CustomerService.*"], customerIds: [customerId] });
    const by = { userName: app, apiKey: scoped.result.apiKey, keyId: await withKey(app) };
    expect((await listAccounts(by)).error?.code).toBe("UNAUTHORIZED");
    const update = (ID: string) =>
      bank.ledger("CustomerService.UpdateCustomer", { ID, businessNameLegal: "N" }, by);
    expect((await update(customerId)).error).toBeUndefined();
    expect((await update((await openBusiness(bank)).customerId)).error?.code).toBe("NOT_FOUND_CUSTOMER");
  });

  it("of an operator bound to customers see no more than it does", async () => {
    const consumerId = await openConsumer(bank);
    const { customerId } = await openBusiness(bank);
    await bank.addUser({ userName: "branch", realm: "operator", groups: [consumerId] });
    expect((await issued({ customerIds: [customerId] }, "branch")).error).toMatchObject({
      code: "NOT_FOUND_CUSTOMER",
      data: { field: "/customerIds/0" },
    });
    await issued({}, "branch");
    const user = await bank.store.read((view) => view.one(userByName, app));
    expect(user?.groups).toEqual([consumerId]);
    const revoked = await bank.operator("RevokeCredential", { userName: "teller" }, "branch");
    expect(revoked.error?.code).toBe("NOT_FOUND_CREDENTIAL");
  });

  it("have names of the institution's own, so that a name taken elsewhere tells nothing", async () => {
    const PublicKey = publicKeyPem.toString();
    const named = async (part: string, by: string) => {
      const { result, error } = await issued({ userName: part }, by);
      return result?.userName ?? error;
    };
    for (const part of ["app", "operator", "teller", `${firstBank}.app`, "a.b@c-d_e"]) {
      expect(await named(part, "operator")).toBe(`${firstBank}.${part}`);
      expect(await named(part, "other-operator")).toBe(`${otherBank}.${part}`);
    }
    const conflict = { code: "CONFLICT", data: { field: "/userName", reason: "taken" } };
    expect(await named("app", "operator")).toMatchObject(conflict);
    const registered = await bank.operator("RegisterKey", { userName: `${otherBank}.app`, PublicKey });
    expect(registered.error?.code).toBe("NOT_FOUND_CREDENTIAL");
  });

  it("have names that fit, however long and strange the institution's identifier is", async () => {
    const taken = new Set<string>();
    const part = "x".repeat(40);
    for (const institutionId of ["a", "a.b", "a:b", "a/b", "z".repeat(23), "z".repeat(24), "é"]) {
      await bank.store.write((tx) => tx.insert(institutions, { id: institutionId, name: "Bank" }));
      await bank.addUser({ userName: `by-${taken.size}`, institutionId, realm: "operator" });
      const { result } = await issued({ userName: part }, `by-${taken.size}`);
      expect(result.userName).toMatch(new RegExp(`^[\\w-]{1,23}\\.${part}$`));
      taken.add(result.userName);
    }
    expect(taken.size).toBe(7);
    expect((await issued({ userName: `${part}x` })).error).toMatchObject({
      code: "BAD_INPUT",
      data: { field: "/userName" },
    });
  });

  it("expire when they should, and never in the past", async () => {
    expect((await issued({ expiresAt: "2026-03-02T12:00:00.000Z" })).error?.data?.field).toBe("/expiresAt");
    const { apiKey, expiresAt } = (await issued({ expiresAt: "2026-03-02T13:00:00.000Z" })).result;
    expect(expiresAt).toBe("2026-03-02T13:00:00.000Z");
    const by = { userName: app, apiKey, keyId: await withKey(app) };
    bank.clock.advance(3_599_999);
    expect((await listAccounts(by)).error).toBeUndefined();
    bank.clock.advance(1);
    expect((await listAccounts(by)).error?.code).toBe("BAD_CREDENTIAL");
  });

  it("overlap while they are rotated, two at most", async () => {
    const first = (await issued()).result.apiKey;
    const keyId = await withKey(app);
    const rotate = (payload: object) => bank.operator("RotateCredential", { userName: app, ...payload });
    const works = async (apiKey: string) =>
      (await listAccounts({ userName: app, apiKey, keyId })).error === undefined;

    bank.clock.advance(1);
    const second = (await rotate({ overlapSeconds: 3600 })).result;
    expect(second.formerExpireAt).toBe("2026-03-02T13:00:00.001Z");
    expect([await works(first), await works(second.apiKey)]).toEqual([true, true]);
    bank.clock.advance(1);
    const third = (await rotate({})).result;
    expect(third.formerExpireAt).toBe("2026-03-03T12:00:00.002Z");
    expect([await works(first), await works(second.apiKey), await works(third.apiKey)]).toEqual([
      false,
      true,
      true,
    ]);
    bank.clock.advance(86_400_000);
    expect([await works(second.apiKey), await works(third.apiKey)]).toEqual([false, true]);
    const fourth = (await rotate({ overlapSeconds: 0 })).result;
    expect([await works(third.apiKey), await works(fourth.apiKey)]).toEqual([false, true]);
  });

  it("do not prolong a former key by rotation", async () => {
    await issued({ expiresAt: "2026-03-02T12:30:00.000Z" });
    const { result } = await bank.operator("RotateCredential", { userName: app, overlapSeconds: 3600 });
    expect(result.formerExpireAt).toBe("2026-03-02T12:30:00.000Z");
  });

  it("are revoked at once, one or all", async () => {
    const first = (await issued()).result;
    const keyId = await withKey(app);
    const second = (await bank.operator("RotateCredential", { userName: app })).result;
    const code = async (apiKey: string) => (await listAccounts({ userName: app, apiKey, keyId })).error?.code;
    const revoke = async (payload: object) => (await bank.operator("RevokeCredential", payload)).result;

    expect(await code(first.apiKey)).toBeUndefined();
    expect((await revoke({ userName: app, apiKeyId: first.apiKeyId })).revokedApiKeyIds).toEqual([
      first.apiKeyId,
    ]);
    expect([await code(first.apiKey), await code(second.apiKey)]).toEqual(["BAD_CREDENTIAL", undefined]);
    const revokedAt = bank.clock.now();
    bank.clock.advance(1_000);
    expect((await revoke({ userName: app })).revokedApiKeyIds.toSorted()).toEqual(
      [first.apiKeyId, second.apiKeyId].toSorted(),
    );
    expect(await code(second.apiKey)).toBe("BAD_CREDENTIAL");
    const { apiKeys } = (await bank.operator("GetUser", { userName: app })).result;
    const dates = new Map(
      apiKeys.map((each: { apiKeyId: string; revokedDate: string }) => [each.apiKeyId, each.revokedDate]),
    );
    expect(dates.get(first.apiKeyId)).toBe(new Date(revokedAt).toISOString());
    expect(dates.get(second.apiKeyId)).toBe(new Date(revokedAt + 1_000).toISOString());
  });

  it("are found in the operator's institution only", async () => {
    const { apiKeyId } = (await issued()).result;
    const PublicKey = publicKeyPem.toString();
    for (const [method, payload] of [
      ["RotateCredential", { userName: app }],
      ["RevokeCredential", { userName: app }],
      ["RegisterKey", { userName: app, PublicKey }],
      ["StartDeviceRegistration", { userName: app }],
    ] as const) {
      const foreign = await bank.operator(method, payload, "other-operator");
      const unknown = await bank.operator(method, { ...payload, userName: "nobody" });
      expect([foreign.error?.code, unknown.error?.code]).toEqual([
        "NOT_FOUND_CREDENTIAL",
        "NOT_FOUND_CREDENTIAL",
      ]);
    }
    const otherKey = await bank.operator("RevokeCredential", { userName: "teller", apiKeyId });
    expect(otherKey.error?.code).toBe("NOT_FOUND_CREDENTIAL");
  });
});

describe("keys", () => {
  it("verify until they are revoked, from the next call on", async () => {
    const PublicKey = publicKeyPem.toString();
    const { KeyId } = (await bank.operator("RegisterKey", { userName: "teller", PublicKey })).result;
    const by = { userName: "teller", keyId: KeyId };
    expect((await listAccounts(by)).error).toBeUndefined();
    for (let times = 0; times < 2; times += 1) {
      expect((await bank.operator("RevokeKey", { KeyId })).result).toEqual({
        KeyId,
        userName: "teller",
        status: "REVOKED",
      });
      expect((await listAccounts(by)).error?.code).toBe("NOT_FOUND_USER_DEVICE");
    }
    expect((await bank.operator("RevokeKey", { KeyId: "none" })).error?.code).toBe("NOT_FOUND_KEY");
    expect((await bank.operator("RevokeKey", { KeyId }, "other-operator")).error?.code).toBe("NOT_FOUND_KEY");
  });

  it("are P-256 public keys in PEM (D-17)", async () => {
    const other = generateKeyPairSync("ec", { namedCurve: "P-384" }).publicKey;
    const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey;
    const pems = [other, rsa].map((key) => key.export({ type: "spki", format: "pem" }).toString());
    for (const PublicKey of [...pems, `${publicKeyPem.toString()}x`, "none"]) {
      const answer = await bank.operator("RegisterKey", { userName: "teller", PublicKey });
      expect(answer.error).toMatchObject({ code: "BAD_INPUT", data: { field: "/PublicKey" } });
    }
  });
});

describe("device registration", () => {
  const method = "KeyService.CompleteRegisterDevice";
  const wrongOtp = (otp: string) => (otp === "000000" ? "000001" : "000000");

  async function start(userName = "teller") {
    const { result } = await bank.operator("StartDeviceRegistration", { userName });
    const mail = bank.mails.at(-1);
    if (mail?.kind !== "one-time-password") throw new Error("no mail");
    return { UserName: userName, OtpToken: String(result.OtpToken), Otp: mail.otp, answer: result };
  }

  function complete({ UserName, OtpToken, Otp }: Awaited<ReturnType<typeof start>>, more: object = {}) {
    return bank.ledger(method, { UserName, OtpToken, Otp, ...more });
  }

  async function failures() {
    return bank.store.read((view) => view.one(userByName, "teller"));
  }

  it("mails the one-time password and answers with the token only (D-20)", async () => {
    const { answer, Otp } = await start();
    expect(answer).toEqual({
      OtpToken: expect.stringMatching(/^[0-9a-f]{32}$/),
      expiresAt: "2026-03-02T12:05:00.000Z",
    });
    expect(bank.mails).toEqual([
      { kind: "one-time-password", to: "teller@bank.example", otp: Otp, validMinutes: 5 },
    ]);
    expect(Otp).toMatch(/^[0-9]{6}$/);
  });

  it.each([
    [(limit: number) => limit - 1, "999999"],
    [() => 7, "000007"],
  ])("draws one-time passwords of six digits, the last and an early one (%#)", (integer, otp) => {
    const ids = { id: () => "", integer, bytes: (length: number) => new Uint8Array(length) };
    expect(newOneTimePassword(ids)).toEqual({ otpToken: "0".repeat(32), otp });
  });

  it("registers the device's key, which then signs", async () => {
    const device = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const PublicKey = device.publicKey.export({ type: "spki", format: "pem" });
    const { result } = await complete(await start(), { PublicKey, MFP: { Model: "Pixel 9" } });
    expect(result).toEqual({ Status: "SUCCESS", KeyId: expect.any(String) });
    const by = { userName: "teller", keyId: result.KeyId, privateKey: device.privateKey };
    expect((await listAccounts(by)).error).toBeUndefined();
    const kept = await bank.store.read((view) => view.one(deviceKeyById, result.KeyId));
    expect(kept).toMatchObject({ status: "ACTIVE", fingerprintJson: '{"Model":"Pixel 9"}' });
  });

  it("may be signed by the key it registers (D-21)", async () => {
    await bank.operator("IssueCredential", { userName: "app", email: "a@x.example" });
    const { apiKey } = (await bank.operator("RotateCredential", { userName: app })).result;
    const device = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const PublicKey = device.publicKey.export({ type: "spki", format: "pem" });
    const { UserName, OtpToken, Otp } = await start(app);
    const by = { userName: app, apiKey, keyId: "new", privateKey: device.privateKey };
    expect((await bank.ledger(method, { UserName, OtpToken, Otp, PublicKey }, by)).result?.Status).toBe(
      "SUCCESS",
    );
  });

  it("leaves the key PENDING without a public key", async () => {
    const { result } = await complete(await start());
    const kept = await bank.store.read((view) => view.one(deviceKeyById, result.KeyId));
    expect(kept).toMatchObject({ status: "PENDING", userName: "teller" });
    expect(kept).not.toHaveProperty("publicKeyPem");
    const by = { userName: "teller", keyId: result.KeyId };
    expect((await listAccounts(by)).error?.code).toBe("NOT_FOUND_USER_DEVICE");
  });

  it("answers every failure alike", async () => {
    const started = await start();
    await bank.addUser({ userName: "colleague" });
    const theirs = await start("colleague");
    const used = await start();
    await complete(used);
    const answers = [
      await complete({ ...started, Otp: wrongOtp(started.Otp) }),
      await complete({ ...started, OtpToken: "0".repeat(32) }),
      await complete({ ...started, OtpToken: "short" }),
      await complete({ ...started, UserName: "other-teller" }),
      await complete({ ...started, UserName: "nobody" }),
      await complete({ ...theirs, UserName: "teller" }),
      await complete(used),
    ];
    for (const { error } of answers) {
      const { requestId: _id, ...data } = { requestId: "", ...error?.data };
      expect({ ...error, data }).toEqual({
        code: "INVALID_OTP",
        message: "Invalid OTP",
        data: expect.any(Object),
      });
      expect(data).not.toHaveProperty("reason");
    }
    const shapes = answers.map(({ text }) => text.replace(/"id":"[0-9]+"/, ""));
    expect(new Set(shapes).size).toBe(1);
  });

  it("ends after 5 minutes", async () => {
    const started = await start();
    bank.clock.advance(5 * 60_000);
    expect((await complete(started)).error?.code).toBe("INVALID_OTP");
  });

  it("lasts no longer where the clock is set back", async () => {
    const started = await start();
    bank.clock.advance(-3 * 3_600_000);
    expect((await complete(started)).error?.code).toBe("INVALID_OTP");
    expect((await complete(await start())).error).toBeUndefined();
  });

  it("bears a clock that is set back by a minute, and no more", async () => {
    const [early, late] = [await start(), await start()];
    bank.clock.advance(-60_001);
    expect((await complete(early)).error?.code).toBe("INVALID_OTP");
    bank.clock.advance(1);
    expect((await complete(late)).error).toBeUndefined();
  });

  it("gives a token 5 tries", async () => {
    const started = await start();
    for (let tries = 0; tries < 4; tries += 1) await complete({ ...started, Otp: wrongOtp(started.Otp) });
    expect((await complete(started)).error).toBeUndefined();
    const again = await start();
    for (let tries = 0; tries < 5; tries += 1) await complete({ ...again, Otp: wrongOtp(again.Otp) });
    expect((await complete(again)).error?.code).toBe("INVALID_OTP");
  });

  it("locks a user after 10 failures in a row, over all tokens, for 15 minutes", async () => {
    for (let round = 0; round < 2; round += 1) {
      const started = await start();
      for (let tries = 0; tries < 5; tries += 1) await complete({ ...started, Otp: wrongOtp(started.Otp) });
    }
    const fresh = await start();
    expect((await complete(fresh)).error?.code).toBe("INVALID_OTP");
    expect((await failures())?.otpLockedUntil).toBe(bank.clock.now() + 15 * 60_000);
    bank.clock.advance(15 * 60_000);
    expect((await complete(await start())).error).toBeUndefined();
    expect(await failures()).toMatchObject({ otpFailures: 0 });
  });

  it("locks a user for 15 minutes from the next try at most where the clock is set back", async () => {
    for (let round = 0; round < 2; round += 1) {
      const started = await start();
      for (let tries = 0; tries < 5; tries += 1) await complete({ ...started, Otp: wrongOtp(started.Otp) });
    }
    bank.clock.advance(-3 * 3_600_000);
    expect((await complete(await start())).error?.code).toBe("INVALID_OTP");
    bank.clock.advance(15 * 60_000 - 1);
    expect((await complete(await start())).error?.code).toBe("INVALID_OTP");
    bank.clock.advance(1);
    expect((await complete(await start())).error).toBeUndefined();
  });

  it("forgets the failures at a success", async () => {
    const started = await start();
    await complete({ ...started, Otp: wrongOtp(started.Otp) });
    expect((await failures())?.otpFailures).toBe(1);
    await complete(started);
    expect((await failures())?.otpFailures).toBe(0);
  });

  it("does not count a public key that is none", async () => {
    const started = await start();
    expect((await complete(started, { PublicKey: "none" })).error).toMatchObject({
      code: "BAD_INPUT",
      data: { field: "/PublicKey" },
    });
    expect((await failures())?.otpFailures).toBe(0);
    expect((await complete(started)).error).toBeUndefined();
  });
});
