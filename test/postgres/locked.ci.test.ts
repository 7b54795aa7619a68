import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Store, StoreHealth } from "../../runtime/store/ports/index.ts";
import { openStore } from "../bank-stores.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { accountWith, bank, insertParties } from "../store-contract/samples.ts";
import { testDatabase, type TestDatabase } from "./databases.ts";
import { accounts, accountById } from "../../ledger/tables/index.ts";
import { institutionById } from "../../runtime/store/tables/index.ts";

let database: TestDatabase;
let store: Store;
const changes: StoreHealth[] = [];
beforeEach(async () => {
  database = await testDatabase();
  const { connections } = optionsUnderTest;
  store = await openStore(database.url, {
    ...optionsUnderTest,
    migrate: false,
    connections: { ...connections, lockWaitMs: 100 },
    onHealth: (health) => changes.push(health),
  });
  await store.write(async (tx) => {
    await insertParties(tx);
    await tx.insert(accounts, accountWith("locked"));
    await tx.insert(accounts, accountWith("free"));
  });
});
afterEach(async () => {
  await database.execute("ROLLBACK");
  await store.close();
  await database.dispose();
  changes.length = 0;
});

const rename = (id: string) =>
  store.write(async (tx) => {
    const account = await tx.one(accountById, bank.id, id);
    if (account !== undefined) await tx.replace(accounts, { ...account, name: "renamed" }, account);
  });
const refused = { name: "UnavailableError", reason: "database-locked", retryAfterSeconds: 1 };

describe("a lock that another program holds", () => {
  test("of an account refuses a change of it, and of no other", async () => {
    await database.execute("BEGIN");
    await database.execute("SELECT 1 FROM accounts WHERE id = 'locked' FOR UPDATE");
    await expect(rename("locked")).rejects.toMatchObject(refused);
    await rename("free");
    expect(await store.read((view) => view.one(accountById, bank.id, "locked"))).toBeDefined();
    expect([changes, store.health()]).toEqual([[], { kind: "well" }]);
    await database.execute("ROLLBACK");
    await rename("locked");
  });

  test("of a table refuses reads of it, and of no other", async () => {
    await database.execute("BEGIN");
    await database.execute("LOCK TABLE accounts");
    await expect(store.read((view) => view.one(accountById, bank.id, "free"))).rejects.toMatchObject(refused);
    expect(await store.read((view) => view.one(institutionById, bank.id))).toEqual(bank);
    expect([changes, store.health()]).toEqual([[], { kind: "well" }]);
  });
});
