import { createHash, createPublicKey } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readEndpointHealths } from "../../runtime/events/outcomes/record-outcomes.ts";
import { createRecipientReader } from "../../runtime/events/outbox/recipients.ts";
import { recipients as bankRecipients } from "../../ledger/handlers/services/publish.ts";
import type { AttemptOutcome } from "../../runtime/events/index.ts";
import { createServiceKeys, signingKeysAmong } from "../../runtime/events/signing/service-keys.ts";
import type { Recipients, ServiceKeyRecord } from "../../runtime/store/ports/index.ts";
import {
  outboxEvents,
  healthOfSubscription,
  endpointHealth,
  institutions,
  users,
} from "../../runtime/store/tables/index.ts";
import { createMemoryStore } from "../bank-stores.ts";
import { sealer, systemClock } from "../../runtime/operations/system/index.ts";
import { delivery, outboxEvent, serviceKey, subscription } from "../store-contract/delivery-samples.ts";
import { account, bank, customer, user } from "../store-contract/samples.ts";
import { customers, accounts } from "../../ledger/tables/index.ts";
import { insertSubscription } from "../../ledger/books/subscriptions.ts";

const hourMs = 3_600_000;
const minuteMs = 60_000;

describe("the health of an endpoint", () => {
  const outcome = { durationMs: 5, responseTruncated: false } as const;
  const failed = (startedAt: number) => ({ ...outcome, startedAt, failure: "status" as const });

  test("remembers when it began to fail, and is reviewed a day after that alone", async () => {
    const store = createMemoryStore();
    const after = (nowMs: number, change: AttemptOutcome, isFormer = false) =>
      store.write(async (tx) => {
        const healths = await readEndpointHealths(tx, [delivery], nowMs);
        healths.update({ delivery, outcome: change, state: "PENDING", isFormer });
        await healths.store();
        return tx.one(healthOfSubscription, delivery.subscriptionId);
      });
    expect(await after(1_100, failed(1_000))).toMatchObject({
      failedAttempts: 1,
      failingSince: 1_000,
      lastFailedAt: 1_100,
      reviewAt: 1_000 + 24 * hourMs,
    });
    const reviewed = await store.write(async (tx) => {
      const found = await tx.one(healthOfSubscription, delivery.subscriptionId);
      if (found !== undefined) await tx.put(endpointHealth, { ...found, reviewAt: 120 * hourMs });
      return found;
    });
    expect(reviewed?.deadLetters).toBe(0);
    expect(await after(2_100, { ...failed(2_000), retryAfterMs: 500 })).toMatchObject({
      failedAttempts: 2,
      failingSince: 1_000,
      lastFailedAt: 2_100,
      reviewAt: 120 * hourMs,
      pausedUntil: 2_600,
    });
    const well = await after(3_000, { ...outcome, startedAt: 2_990 });
    expect(well).toMatchObject({ delivered: 1, failedAttempts: 2, lastDeliveredAt: 3_000 });
    for (const gone of ["failingSince", "reviewAt", "pausedUntil"]) expect(well).not.toHaveProperty(gone);
  });
});

test("a new account is shown once, whoever subscribed to it and by which number", async () => {
  const store = createMemoryStore();
  const pool = { ...account, id: "pool", number: "999" };
  const recipients = await store.write(async (tx) => {
    await tx.insert(institutions, bank);
    await tx.insert(users, user);
    await tx.insert(customers, customer);
    await tx.insert(accounts, account);
    await tx.insert(accounts, pool);
    await insertSubscription(tx, { ...subscription, id: "own", groupId: [account.number] });
    await insertSubscription(tx, { ...subscription, id: "pool", groupId: ["999"] });
    await insertSubscription(tx, { ...subscription, id: "both", groupId: [account.number, "999"] });
    await insertSubscription(tx, { ...subscription, id: "deaf", events: ["Transaction.NEW"] });
    const event = { ...outboxEvent, topics: [account.number, "999"] };
    const reader = createRecipientReader(tx, { recipients: bankRecipients });
    const lane = { lane: user.userName, after: "", limit: 64 };
    const other = { ...event, id: "other", name: "Transaction.NEW" };
    return [await reader.read(event, lane), await reader.read(other, lane)];
  });
  const shown = recipients.map((ofEvent) =>
    Object.fromEntries(ofEvent.recipients.map((each) => [each.subscription.id, each.topics])),
  );
  expect(shown).toEqual([
    { own: [account.number], pool: ["999", account.number], both: [account.number, "999"] },
    { deaf: [account.number] },
  ]);
});

test("an event goes to its topics alone, unless the application says that it goes to its group", async () => {
  const store = createMemoryStore();
  const told = await store.write(async (tx) => {
    await tx.insert(institutions, bank);
    await tx.insert(users, user);
    await tx.insert(customers, customer);
    await tx.insert(accounts, account);
    await insertSubscription(tx, { ...subscription, id: "first", groupId: ["t-1"] });
    await insertSubscription(tx, { ...subscription, id: "sibling", groupId: [account.number] });
    const event = { ...outboxEvent, topics: ["t-1"], group: account.customerId };
    const lane = { lane: user.userName, after: "", limit: 64 };
    const toGroup: Recipients = ({ topics: [value = ""], group = "" }) =>
      Promise.resolve([
        { kind: "topic", value },
        { kind: "group", value: group },
      ]);
    const readers = [{}, { recipients: toGroup }].map((options) => createRecipientReader(tx, options));
    return Promise.all(readers.map((reader) => reader.read(event, lane)));
  });
  const topics = told.map(({ recipients }) =>
    Object.fromEntries(recipients.map((each) => [each.subscription.id, each.topics])),
  );
  expect(topics).toEqual([{ first: ["t-1"] }, { first: ["t-1"], sibling: [account.number, "t-1"] }]);
});

test("events are stored with the payloads of single topics, and may be of no group", () => {
  const otherPayloads = [{ topic: "1", payloadJson: "{}" }];
  const record = { ...outboxEvent, otherPayloads };
  const kept = outboxEvents.encode(record);
  expect(kept).toContain('[{"topic":"1","payloadJson":"{}"}]');
  expect(outboxEvents.decode(kept)).toEqual(record);
  const { group: _none, ...ofNoGroup } = record;
  expect(outboxEvents.encode(ofNoGroup)).toContain("");
  expect(outboxEvents.decode(outboxEvents.encode(ofNoGroup))).toEqual(ofNoGroup);
});

describe("service keys", () => {
  test("are named by their thumbprints (RFC 7638)", async () => {
    const store = createMemoryStore();
    const keys = createServiceKeys({ store, sealer: sealer(new Uint8Array(32)), clock: systemClock });
    const { payloadKeyId } = await keys.signing();
    const published = (await keys.keySet()).keys;
    const ids = published.map(({ alg, crv, kty, x, y, kid }) => {
      const members = alg === "ES256" ? { crv, kty, x, y } : { crv, kty, x };
      expect(kid).toBe(createHash("sha256").update(JSON.stringify(members)).digest("base64url"));
      expect(kty).toBe(alg === "ES256" ? "EC" : "OKP");
      return [alg, kid];
    });
    expect(ids).toContainEqual(["ES256", payloadKeyId]);
    expect(published).toHaveLength(2);
  });

  test.each([
    ["just before it is ten minutes old, the former", 10 * minuteMs - 1, "old"],
    ["at ten minutes, the new", 10 * minuteMs, "new"],
  ])("a new key signs once receivers have seen it: %s", (_name, ageMs, signing) => {
    const record = (keyId: string, algorithm: ServiceKeyRecord["algorithm"], createdAt: number) => {
      const { retiredAt: _retired, ...key } = { ...serviceKey, keyId, algorithm, createdAt };
      return key;
    };
    const all = [record("old", "ES256", 0), record("webhook", "EdDSA", 0), record("new", "ES256", hourMs)];
    const opened: string[] = [];
    const { payloadKeyId } = signingKeysAmong(all, hourMs + ageMs, ({ keyId }) => {
      opened.push(keyId);
      return someKey;
    });
    expect(payloadKeyId).toBe(signing);
    expect(opened).toEqual([signing, "webhook"]);
  });

  const someKey = createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" },
    format: "jwk",
  });
});
