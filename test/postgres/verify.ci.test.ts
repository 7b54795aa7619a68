import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { auditedBySystem } from "../../runtime/store/audit/index.ts";
import { openStore, verifyStore } from "../bank-stores.ts";
import { sealer } from "../../runtime/operations/system/index.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { bank, insertParties, user } from "../store-contract/samples.ts";
import { emptyDatabase, testDatabase, type TestDatabase } from "./databases.ts";
import { users, apiKeys } from "../../runtime/store/tables/index.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  const store = await openStore(database.url, optionsUnderTest);
  await store.write(insertParties);
  await store.close();
  await database.execute(sound);
});
afterAll(() => database.dispose());

const sound = `INSERT INTO subscriptions (id, institution_id, user_name, name, callback_url, events, group_id,
    secret_sealed, enabled, created_at, updated_at, ordered)
    SELECT 'sub-1', institution_id, user_name, 's', 'https://x.example', '[]', '["100"]', '', true, 0, 0, false
    FROM users LIMIT 1;
  INSERT INTO subscription_topics SELECT institution_id, id, '100', NULL, user_name FROM subscriptions;
  INSERT INTO events (id, institution_id, name, source, topics, topic_group, payload_json, created_at, relayed_at)
    SELECT 'e-1', institution_id, 'Account.NEW', 's', '["100"]', '', '{}', 0, 0 FROM subscriptions;
  INSERT INTO deliveries (id, institution_id, subscription_id, event_id, event_name, topics, sequence, state,
    attempts, failures, created_at)
    SELECT 'd-1', institution_id, id, 'e-1', 'Account.NEW', group_id, 5, 'DELIVERED', 1, 0, 0 FROM subscriptions;
  INSERT INTO delivery_attempts (delivery_id, number, started_at, duration_ms, response_truncated)
    VALUES ('d-1', 1, 0, 0, false);
  INSERT INTO event_sequences VALUES ('sub-1', '100', 5)`;

const apiKey = { id: "api-told", userName: "told", hash: "0", createdAt: 1 };

/** Without what is said of the sample account, which no call opened. */
async function found(kinds: readonly string[] = ["derived", "file"]): Promise<readonly string[]> {
  const { findings } = await verifyStore(database.url, {});
  return findings
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ kind, table, record, what }) => `${kind} ${table} ${record}: ${what}`);
}

test("records are compared with their audit entries: each damage is found", async () => {
  const by = { institutionId: bank.id, operation: "test", clock: { now: () => 1 } };
  const store = await openStore(database.url, optionsUnderTest);
  await store.write((tx) => auditedBySystem(tx, by).insert(users, { ...user, userName: "told" }));
  await store.write((tx) => auditedBySystem(tx, by).insert(apiKeys, apiKey));
  await store.close();
  expect(await found(["record"])).not.toContainEqual(expect.stringMatching(/users user told|api_keys/));
  await database.execute(`UPDATE users SET realm = 'operator', seen_groups = NULL WHERE user_name = 'told';
    DELETE FROM api_keys WHERE id = 'api-told'`);
  const after = await found(["record"]);
  for (const text of [
    /^record users user told: realm is "operator", the audit entries say "ledger"$/,
    /^record users user told: groups is absent, the audit entries say "\[/,
    /^record api_keys \d+ \(entry 1 of credential api-told\): there is no credential api-told: it was deleted/,
    /^record users user user-1: no audit entry says that it was added/,
  ]) {
    expect(after).toContainEqual(expect.stringMatching(text));
  }
});

test("what is kept twice is recomputed: each damage is found", async () => {
  expect(await found()).toEqual([]);
  await database.execute(`UPDATE subscription_topics SET topic = '200';
    UPDATE event_sequences SET last = 4; UPDATE deliveries SET attempts = 2;
    INSERT INTO account_marks SELECT institution_id, created_at, id, 1 FROM accounts ORDER BY created_at, id LIMIT 1;
    INSERT INTO transaction_marks VALUES ('021000021', 'account-1', 0, 'gone', 9)`);
  const [[account] = []] = await database.execute(
    "SELECT institution_id || ' ' || id FROM accounts ORDER BY created_at, id LIMIT 1",
  );
  expect((await found()).toSorted()).toEqual([
    `derived account_marks ${String(account)}: counts 1 accounts before it, there are 0`,
    "derived deliveries d-1: attempts is 2, there are 1",
    "derived event_sequences sub-1 100: its last number is 4, a delivery has 5: numbers would repeat",
    "derived subscription_topics sub-1 100: is missing, or of another customer: the subscription names the account",
    "derived subscription_topics sub-1 200: the subscription does not name it, or it is of another customer",
    "derived transaction_marks account-1 gone: counts 9 transactions of the account up to it, there are others",
  ]);
});

test("an answer is waited for, also where the wait is ended for a former one", async () => {
  const waiting = vi.spyOn(Atomics, "wait").mockReturnValueOnce("ok").mockReturnValueOnce("ok");
  try {
    expect(await found(["file"])).toEqual([]);
    expect(waiting.mock.calls.length).toBeGreaterThan(2);
  } finally {
    waiting.mockRestore();
  }
});

test("a text that is no JSON is found, and everything else is verified all the same", async () => {
  const [[before] = []] = await database.execute("SELECT group_id FROM subscriptions");
  await database.execute("UPDATE subscriptions SET group_id = 'none'");
  const { findings, records } = await verifyStore(database.url, {});
  const unread = findings.flatMap(({ kind, what }) => (kind === "file" ? [what] : []));
  expect(new Set(unread)).toEqual(
    new Set(["cannot be read to its end: the books cannot be read: invalid input syntax for type json"]),
  );
  expect(records["accounts"]).toBe(1);
  await database.execute(`UPDATE subscriptions SET group_id = '${String(before)}'`);
});

/** What is said of the schema alone. */
async function foundInSchema(): Promise<readonly string[]> {
  const { findings } = await verifyStore(database.url, {});
  return findings.filter(({ kind }) => kind === "schema").map(({ table, what }) => `${table}: ${what}`);
}

test("a schema other than that of a new database is found; further tables, indexes and views are none of it", async () => {
  await database.execute(`DROP INDEX transactions_by_debtor;
    ALTER TABLE postings ALTER COLUMN currency DROP NOT NULL;
    CREATE RULE kept AS ON DELETE TO api_keys DO INSTEAD NOTHING;
    ALTER TABLE accounts DISABLE TRIGGER ALL`);
  expect((await foundInSchema()).toSorted()).toEqual([
    "accounts: is not as this program makes it",
    "kept: is a trigger or a rule that is none of this program's",
    "postings: is not as this program makes it",
    "transactions_by_debtor: is missing",
  ]);
  await database.execute(`CREATE INDEX transactions_by_debtor
      ON transactions (institution_id, debtor_account_id, created_at, id);
    ALTER TABLE postings ALTER COLUMN currency SET NOT NULL;
    DROP RULE kept ON api_keys;
    ALTER TABLE accounts ENABLE TRIGGER ALL;
    CREATE INDEX further ON postings (created_at); CREATE TABLE own (id INTEGER); CREATE VIEW seen AS SELECT 1`);
  expect(await foundInSchema()).toEqual([]);
  await database.execute("DROP VIEW seen; DROP TABLE own; DROP INDEX further");
});

test("a database without tables is not verified: the message says what to do", async () => {
  const empty = await emptyDatabase();
  await expect(verifyStore(empty.url, {})).rejects.toThrow(
    /lacks migration \d+ .*run `ledger-server migrate`/,
  );
  await empty.dispose();
});

test("sealed texts are opened with the key: a changed one is found", async () => {
  const key = sealer(Buffer.alloc(32, 1));
  const sealed = await testDatabase();
  try {
    const store = await openStore(sealed.url, { ...optionsUnderTest, sealer: () => key });
    await store.write(insertParties);
    await store.close();
    const verified = async () => {
      const { findings, sealedTexts } = await verifyStore(sealed.url, { sealer: () => key });
      return { sealedTexts, found: findings.filter(({ kind }) => kind === "sealed").map(({ what }) => what) };
    };
    expect(await verified()).toEqual({ sealedTexts: 1, found: [] });
    await sealed.execute(
      "UPDATE customers SET identification = overlay(identification placing 'AAAA' from 30)",
    );
    expect(await verified()).toEqual({
      sealedTexts: 1,
      found: [`identification does not open with key ${key.keyId}`],
    });
  } finally {
    await sealed.dispose();
  }
});
