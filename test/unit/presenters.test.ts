import { describe, expect, test } from "vitest";
import { deliveryOf, signingKeySummary, subscriptionSecretOf } from "../../runtime/operations/admin/index.ts";
import { accountOf } from "../../ledger/handlers/presenters/account.ts";
import { sealer } from "../../runtime/operations/system/index.ts";
import { delivery, subscription } from "../store-contract/delivery-samples.ts";
import { account } from "../store-contract/samples.ts";

describe("a delivery shows when it is tried next", () => {
  const { claimedBy: _claim, ...unclaimed } = { ...delivery, dueAt: 1_000 };
  test.each([
    ["where it waits for that", { ...unclaimed, state: "PENDING" as const }, true],
    ["not while it is being tried", { ...unclaimed, state: "PENDING" as const, claimedBy: "p" }, false],
    ["not while it is held", { ...unclaimed, state: "HELD" as const }, false],
    ["not once it is dead", { ...unclaimed, state: "DEAD" as const }, false],
  ])("%s", (_name, shown, hasDate) => {
    expect(deliveryOf(shown).nextAttemptDate).toBe(hasDate ? "1970-01-01T00:00:01.000Z" : undefined);
  });
});

test("a former secret is shown while it signs, to its last millisecond", () => {
  const sealing = sealer(new Uint8Array(32));
  const rotated = {
    ...subscription,
    secretSealed: sealing.seal("new"),
    formerSecretSealed: sealing.seal("old"),
    formerSecretUntil: 1_000,
  };
  expect(subscriptionSecretOf(rotated, sealing, 999)).toEqual({
    subscriptionId: subscription.id,
    secret: "new",
    formerSecret: "old",
    formerSecretUntil: "1970-01-01T00:00:01.000Z",
  });
  expect(subscriptionSecretOf(rotated, sealing, 1_000)).toEqual({
    subscriptionId: subscription.id,
    secret: "new",
  });
});

test("an account shows each of its amounts, and what is available of them", () => {
  const minor = { ledgerMinor: 10_000n, holdMinor: 2_000n, preAuthMinor: 300n, minimumMinor: 40n };
  const shown = accountOf(
    { ...account, ...minor },
    { customerName: "", institutionName: "", parent: undefined, parentIsSeen: false, legalReps: [] },
  );
  expect(JSON.parse(JSON.stringify(shown))).toMatchObject({
    ledgerBalance: 100,
    holdBalance: 20,
    preAuthBalance: 3,
    minimumBalance: 0.4,
    balance: 77,
  });
});

test("a key shows when it was made, revoked and last used", () => {
  const key = {
    keyId: "k1",
    userName: "una",
    status: "REVOKED",
    createdAt: 1_000,
    revokedAt: 2_000,
  } as const;
  expect(signingKeySummary(key, new Map([["k1", 1_500]]))).toEqual({
    KeyId: "k1",
    status: "REVOKED",
    createdDate: "1970-01-01T00:00:01.000Z",
    revokedDate: "1970-01-01T00:00:02.000Z",
    lastUsedDate: "1970-01-01T00:00:01.500Z",
  });
});
