import { afterAll, beforeAll, expect, test } from "vitest";
import type { Store } from "../../runtime/store/ports/index.ts";
import { openStore } from "../bank-stores.ts";
import { createConnections, type Connections } from "../../runtime/store/postgres/connections.ts";
import { transactionList } from "../../ledger/books/listing/index.ts";
import { markAll } from "../../runtime/store/postgres/store.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { transactionWith } from "../store-contract/samples.ts";
import {
  busy,
  describeTransactionMarks,
  fillSql,
  insertBusyAccount,
  marksSql,
  wrongMarksSql,
} from "../store-contract/transaction-marks.ts";
import { testDatabase, type TestDatabase } from "./databases.ts";
import { transactions } from "../../ledger/tables/index.ts";

let database: TestDatabase;
let store: Store;
let connections: Connections;
beforeAll(async () => {
  database = await testDatabase();
  store = await openStore(database.url, { ...optionsUnderTest, migrate: false });
  connections = createConnections(database.url, optionsUnderTest.connections);
  await store.write(insertBusyAccount);
  await database.execute(fillSql);
});
afterAll(async () => {
  await connections.close();
  await store.close();
  await database.dispose();
});

describeTransactionMarks(
  () => openStore(database.url, { ...optionsUnderTest, migrate: false }),
  (sql) => database.execute(sql),
);

/** Has the busy account marked. */
function markBusy(untilMs: number): Promise<void> {
  return markAll(connections, transactionList.marks, { ...busy, offset: 0, limit: 1 }, untilMs);
}

/** Records a transaction, and has the account marked while that is not committed yet. Returns how often it was tried. */
async function recordWhileMarking(id: string, createdAt: number, untilMs: number): Promise<number> {
  let attempts = 0;
  await store.write(async (tx) => {
    attempts += 1;
    const sides = { debtorAccountId: "busy", creditorAccountId: "third" };
    await tx.insert(transactions, transactionWith(id, { ...sides, createdAt }));
    if (attempts === 1) await markBusy(untilMs);
  });
  return attempts;
}

test("marks and a transaction that are written at the same time agree", async () => {
  expect(await recordWhileMarking("meanwhile", 1_000 + 2_000, Number.MAX_SAFE_INTEGER)).toBe(2);
  expect(await database.execute(wrongMarksSql)).toEqual([]);
  await markBusy(Number.MAX_SAFE_INTEGER);
  expect((await database.execute(marksSql)).length).toBe(3);
  expect(await database.execute(wrongMarksSql)).toEqual([]);
});

test("transactions that are recorded now are not marked, and do not meet those who mark", async () => {
  await markBusy(Number.MAX_SAFE_INTEGER);
  const marks = await database.execute(marksSql);
  expect(await recordWhileMarking("now", Date.now(), Date.now() - 3_600_000)).toBe(1);
  expect(await database.execute(marksSql)).toEqual(marks);
});
