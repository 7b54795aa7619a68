import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { deviceKeys } from "../../runtime/store/tables/index.ts";
import { openBank, type Answer, type Bank } from "./handlers-bank.ts";

let bank: Bank;

beforeEach(async () => {
  bank = await openBank();
  await bank.addUser({ userName: "clerk" });
});

interface Pair {
  readonly privateKey: KeyObject;
  readonly pem: string;
}

function newPair(): Pair {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { privateKey, pem: publicKey.export({ type: "spki", format: "pem" }).toString() };
}

async function challengeOf({ pem }: Pair, by = "teller"): Promise<string> {
  return (await bank.partner("StartKeyRegistration", { PublicKey: pem }, by)).result.challenge;
}

/** Registers a key by a challenge that this key, or another one, has signed. */
function register(pair: Pair, challenge: string, by = "teller", { privateKey } = pair): Promise<Answer> {
  const proof = sign("sha256", Buffer.from(challenge), privateKey).toString("base64");
  return bank.partner("RegisterKey", { PublicKey: pair.pem, challenge, proof }, by);
}

const refusal = (field: string, reason: string) => ({ code: "BAD_INPUT", data: { field, reason } });
const over = refusal("/challenge", "challenge-over");

describe("a key of the caller's own", () => {
  test("is registered by a challenge that it has signed, and signs from then on", async () => {
    const pair = newPair();
    bank.clock.advance(1);
    const { challenge, expiresAt } = (await bank.partner("StartKeyRegistration", { PublicKey: pair.pem }))
      .result;
    expect(challenge).toMatch(/^register-key:/);
    expect(expiresAt).toBe(new Date(bank.clock.now() + 300_000).toISOString());
    const { result } = await register(pair, challenge);
    expect(result).toEqual({ KeyId: expect.any(String), status: "ACTIVE" });
    const signed = { userName: "teller", keyId: result.KeyId, privateKey: pair.privateKey };
    expect((await bank.partner("ListKeys", {}, signed)).result.keys).toMatchObject([
      { KeyId: "key-teller" },
      { KeyId: result.KeyId, status: "ACTIVE" },
    ]);
    const entries = (await bank.operator("ListAudit", { subject: "key", subjectId: result.KeyId })).result
      .entries;
    expect(entries).toMatchObject([{ operation: "RegisterKey", actor: "teller", keyId: "key-teller" }]);
  });

  test("is not taken without a proof by that very key", async () => {
    const [pair, other] = [newPair(), newPair()];
    const wrong = refusal("/proof", "not-signed-by-key");
    expect((await register(pair, await challengeOf(pair), "teller", other)).error).toMatchObject(wrong);
    const challenge = await challengeOf(pair);
    const bare = { PublicKey: pair.pem, challenge, proof: "AAAA" };
    expect((await bank.partner("RegisterKey", bare)).error).toMatchObject(wrong);
    const none = await bank.partner("RegisterKey", { ...bare, PublicKey: "none" });
    expect(none.error).toMatchObject({ code: "BAD_INPUT", data: { field: "/PublicKey" } });
    // A failed proof does not use the challenge up.
    expect((await register(pair, challenge)).error).toBeUndefined();
  });

  test("is not taken by a challenge of another user, one that is over, used, changed or made up", async () => {
    const pair = newPair();
    expect((await register(pair, await challengeOf(pair, "clerk"))).error).toMatchObject(over);
    const late = await challengeOf(pair);
    bank.clock.advance(300_000);
    expect((await register(pair, late)).error).toMatchObject(over);
    const early = await challengeOf(pair);
    bank.clock.advance(-120_000);
    expect((await register(pair, early)).error, "the clock was set back").toMatchObject(over);
    const used = await challengeOf(pair);
    const { KeyId } = (await register(pair, used)).result;
    await bank.operator("RevokeKey", { KeyId });
    expect((await register(pair, used)).error, "a captured call revives no key").toMatchObject(over);
    expect((await register(newPair(), await challengeOf(pair))).error).toMatchObject(over);
    const last = used.at(-1) === "A" ? "B" : "A";
    for (const made of [
      `${used.slice(0, -1)}${last}`,
      "register-key:x",
      "register-key:v2.0000000000000000.AAAA",
    ])
      expect((await register(pair, made)).error).toMatchObject(over);
  });

  test("stores nothing for a challenge, however many are asked for", async () => {
    const [before, pair] = [await rows(), newPair()];
    for (let count = 0; count < 20; count += 1) await challengeOf(pair);
    expect(await rows()).toBe(before);
  });

  /** What an operator sees of changes by the caller. */
  async function rows(): Promise<number> {
    return (await bank.operator("ListAudit", {})).result.entries.length;
  }

  test("is revoked, unless it is the last one that is active", async () => {
    const last = { code: "CONFLICT", data: { field: "/KeyId", reason: "last-key" } };
    const revoke = (KeyId: string, by?: string) => bank.partner("RevokeKey", { KeyId }, by);
    expect((await revoke("key-teller")).error).toMatchObject(last);
    const pair = newPair();
    const { KeyId } = (await register(pair, await challengeOf(pair))).result;
    for (const by of ["clerk", "other-teller"]) {
      const { error } = await revoke(KeyId, by);
      expect(error).toEqual((await revoke("01KAFZ0000000000000000000X", by)).error);
    }
    expect((await revoke("key-teller")).result).toEqual({ KeyId: "key-teller", status: "REVOKED" });
    expect((await bank.partner("ListKeys", {})).error?.code).toBe("NOT_FOUND_USER_DEVICE");
    const signed = { userName: "teller", keyId: KeyId, privateKey: pair.privateKey };
    expect((await bank.partner("RevokeKey", { KeyId }, signed)).error).toMatchObject(last);
    const again = await bank.partner("RevokeKey", { KeyId: "key-teller" }, signed);
    expect(again.result).toEqual({ KeyId: "key-teller", status: "REVOKED" });
  });

  test("is one of at most 1,000 that are not revoked", async () => {
    const more = Array.from({ length: 999 }, (_, index) => ({
      keyId: `more-${index}`,
      userName: "teller",
      status: "PENDING" as const,
      createdAt: bank.clock.now(),
    }));
    const pair = newPair();
    const challenge = await challengeOf(pair);
    await bank.store.write((tx) => tx.insert(deviceKeys, ...more));
    const refused = { code: "CONFLICT", data: { reason: "too-many-keys", limit: 1_000 } };
    expect((await register(pair, challenge)).error).toMatchObject(refused);
    expect((await bank.partner("StartKeyRegistration", { PublicKey: pair.pem })).error).toMatchObject(
      refused,
    );
  });
});
