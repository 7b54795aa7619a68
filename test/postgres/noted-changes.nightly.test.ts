import { afterEach, expect } from "vitest";
import { standardConnections } from "../../runtime/storage/index.ts";
import { institutionRows } from "../../runtime/storage/move/institution/rows-of-institution.ts";
import { openOneOfSeveral } from "../../runtime/storage/postgres/adapter.ts";
import { describeStore } from "../store-contract/contract.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { testDatabase, type TestDatabase } from "./databases.ts";

/** Verification starts a thread each time. */
const runsShare = 0.1;
const farMs = Date.now() + 1e9;
let unnoted: readonly string[] = [];

afterEach(() => {
  expect(unnoted).toEqual([]);
});

// The whole contract once more, with a move under way: whatever a transaction changes, it notes.
describeStore(
  "the store in a PostgreSQL database that an institution is moved from",
  async () => {
    const database = await testDatabase();
    const options = { ...optionsUnderTest, connections: { ...standardConnections, poolSize: 4 } };
    const noting = `UPDATE gate SET noted_until = ${farMs}, paused_until = ${farMs} WHERE id = 1`;
    await database.execute(noting);
    let store = await openOneOfSeveral(database.url, options);
    return {
      store,
      reopen: async () => {
        await store.close();
        store = await openOneOfSeveral(database.url, { ...options, migrate: false });
        return store;
      },
      dispose: async () => {
        await store.close();
        unnoted = await unnotedRows(database);
        await database.execute("UPDATE gate SET noted_until = 0, paused_until = 0");
        await database.dispose();
      },
    };
  },
  { runsShare },
);

/** Rows whose present state is of a transaction that has not noted them. */
async function unnotedRows(database: TestDatabase): Promise<readonly string[]> {
  const noted = new Set<string>();
  const notes = await database.execute("SELECT xmin::TEXT, changes FROM moved_changes");
  for (const [transaction, changes] of notes) {
    const all: Readonly<Record<string, readonly (readonly unknown[])[]>> = JSON.parse(String(changes));
    for (const [table, keys] of Object.entries(all))
      for (const key of keys) noted.add([table, ...key, numberedApart(table, transaction)].join());
  }
  const present: string[] = [];
  for (const { table, key } of institutionRows) {
    const rows = await database.execute(`SELECT ${key.join(", ")}, xmin::TEXT FROM ${table}`);
    for (const row of rows)
      present.push([table, ...row.slice(0, -1), numberedApart(table, row.at(-1))].join());
  }
  return present.filter((row) => !noted.has(row));
}

/** Entries of the audit get their numbers afterwards. */
function numberedApart(table: string, transaction: unknown): unknown {
  return table === "audit_entries" ? "" : transaction;
}
