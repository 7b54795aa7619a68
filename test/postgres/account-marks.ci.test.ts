import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Store } from "../../runtime/store/ports/index.ts";
import { openStore } from "../bank-stores.ts";
import { markedEvery } from "../../ledger/books/listing/account-marks.ts";
import { accountList, accountPage } from "../../ledger/books/listing/index.ts";
import { markAll } from "../../runtime/store/postgres/store.ts";
import { createConnections, type Connections } from "../../runtime/store/postgres/connections.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { accountWith, bank, insertParties } from "../store-contract/samples.ts";
import { testDatabase, type TestDatabase } from "./databases.ts";
import { accounts } from "../../ledger/tables/index.ts";

/** Marks lead to pages far behind the first: what they say must be true whatever is written meanwhile. */
const many = 3 * markedEvery + 500;

/** Has the accounts of the bank marked. */
function markBank(untilMs: number): Promise<void> {
  return markAll(connections, accountList.marks, { institutionId: bank.id, offset: 0, limit: 1 }, untilMs);
}

let database: TestDatabase;
let store: Store;
let connections: Connections;
beforeAll(async () => {
  database = await testDatabase();
  const before = await openStore(database.url, { ...optionsUnderTest, migrate: false });
  connections = createConnections(database.url, optionsUnderTest.connections);
  await before.write(insertParties);
  await before.close();
  const [names = []] = await database.execute(
    "SELECT string_agg(column_name, ', '), string_agg(CASE column_name WHEN 'id' THEN '''m'' || n' WHEN 'number' THEN '''m'' || n' " +
      "WHEN 'created_at' THEN '1000 + n' ELSE 'a.' || column_name END, ', ') " +
      "FROM information_schema.columns WHERE table_name = 'accounts' AND table_schema = 'public'",
  );
  await database.execute(
    `INSERT INTO accounts (${names[0]}) SELECT ${names[1]} FROM generate_series(1, ${many}) n, ` +
      "(SELECT * FROM accounts LIMIT 1) a",
  );
});
// A store looks for new marks once a minute.
beforeEach(async () => {
  await database.execute("DELETE FROM account_marks");
  store = await openStore(database.url, { ...optionsUnderTest, migrate: false });
});
afterEach(() => store.close());
afterAll(async () => {
  await connections.close();
  await database.dispose();
});

const marksSql = "SELECT before FROM account_marks ORDER BY before";
/** Marks that say something else than a count does. */
const wrongSql =
  "SELECT m.before FROM account_marks m WHERE m.before <> (SELECT count(*) FROM accounts a " +
  "WHERE a.institution_id = m.institution_id AND (a.created_at, a.id) < (m.created_at, m.id))";

async function pageAt(offset: number): Promise<readonly string[]> {
  const page = await store.read((view) =>
    view.page(accountPage({ institutionId: bank.id, offset, limit: 3 })),
  );
  return page.map(({ account }) => account.id);
}

async function expectedAt(offset: number): Promise<readonly unknown[]> {
  const rows = await database.execute(
    `SELECT id FROM accounts WHERE institution_id = '${bank.id}' ORDER BY created_at, id LIMIT 3 OFFSET ${offset}`,
  );
  return rows.flat();
}

const marks = async (): Promise<readonly number[]> => (await database.execute(marksSql)).flat().map(Number);
const allMarks = [8_192, 16_384, 24_576];

const offsets = [0, 4_095, 8_191, 8_192, 8_193, 16_384, 20_000, many - 1, many + 1, many + 90_000];

/** Pages are right, whatever is marked; those far behind the first have all marks made, and nothing is left to be made. */
async function requirePages(): Promise<void> {
  for (const offset of offsets) expect(await pageAt(offset)).toEqual(await expectedAt(offset));
  await expect.poll(marks).toEqual(allMarks);
  expect(await database.execute(wrongSql)).toEqual([]);
}

test("a page far behind the first makes marks, and pages are the same with them and without", async () => {
  expect(await marks()).toEqual([]);
  await requirePages();
  await requirePages();
});

test("an account that is put between others removes the marks behind it", async () => {
  await markBank(Number.MAX_SAFE_INTEGER);
  await store.write((tx) => tx.insert(accounts, accountWith("late", { createdAt: 1_000 + 10_000 })));
  expect(await marks()).toEqual([8_192]);
  await requirePages();
});

test("marks and an account that are written at the same time agree", async () => {
  let attempts = 0;
  await store.write(async (tx) => {
    attempts += 1;
    await tx.insert(accounts, accountWith("meanwhile", { createdAt: 1_000 + 5_000 }));
    // Counts without the account, which is not committed, and commits before it.
    if (attempts === 1) await markBank(Number.MAX_SAFE_INTEGER);
  });
  expect(attempts).toBe(2);
  expect(await database.execute(wrongSql)).toEqual([]);
  await markBank(Number.MAX_SAFE_INTEGER);
  expect(await marks()).toEqual(allMarks);
  await requirePages();
});

test("accounts that are opened now are not marked, and do not meet those who mark", async () => {
  await markBank(Number.MAX_SAFE_INTEGER);
  expect(await marks()).toEqual(allMarks);
  let attempts = 0;
  await store.write(async (tx) => {
    attempts += 1;
    await tx.insert(accounts, accountWith("now", { createdAt: Date.now() }));
    if (attempts === 1) await markBank(Date.now() - 3_600_000);
  });
  expect(attempts).toBe(1);
  expect(await marks()).toEqual(allMarks);
});
