import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Store, Reads } from "../../runtime/store/ports/index.ts";
import { openStore } from "../bank-stores.ts";
import { fullAccount } from "../../ledger/schema.ts";
import { lookupSql } from "../../runtime/store/postgres/reading/lookup.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { account, accountWith, bank, customer, insertParties, legalRep } from "../store-contract/samples.ts";
import { testDatabase, type TestDatabase } from "./databases.ts";
import {
  accounts,
  accountById,
  customerById,
  legalRepsOf,
  legalReps as legalRepsTable,
  accountByNumber,
} from "../../ledger/tables/index.ts";
import { institutionById } from "../../runtime/store/tables/index.ts";

const accountLookupSql = lookupSql(fullAccount);
let database: TestDatabase;
let store: Store;
const parent = accountWith("parent");
const child = accountWith("child", { parentId: parent.id, legalRepIds: [legalRep.id] });
beforeAll(async () => {
  database = await testDatabase();
  store = await openStore(database.url, { ...optionsUnderTest, migrate: false });
  await store.write(async (tx) => {
    await insertParties(tx);
    await tx.insert(accounts, parent);
    await tx.insert(accounts, child);
  });
});
afterAll(async () => {
  await store.close();
  await database.dispose();
});

/** Counts the statements that ask for accounts: the store asks others of its own, at times of its own. */
function watchLookups() {
  const queried = vi.spyOn(pg.Client.prototype, "query");
  const sent = () =>
    queried.mock.contexts.filter((_, at) => Object(queried.mock.calls[at]?.[0]).text === accountLookupSql);
  return {
    count: () => sent().length,
    connections: () => new Set(sent()).size,
    end: () => queried.mockRestore(),
  };
}

/** All that a full answer about an account needs. */
async function inFull(view: Reads) {
  const found = await view.one(accountById, bank.id, child.id);
  const [ofCustomer, institution, above, legalReps] = await Promise.all([
    view.one(customerById, bank.id, customer.id),
    view.one(institutionById, bank.id),
    view.one(accountById, bank.id, parent.id),
    legalRepsOf(view, bank.id, [legalRep.id]),
  ]);
  return { found, ofCustomer, institution, above, legalReps };
}

test("an account and all that is named with it are found by one statement, also for many callers", async () => {
  const lookups = watchLookups();
  try {
    const all = await Promise.all(Array.from({ length: 20 }, () => store.read(inFull)));
    expect(all).toEqual(
      all.map(() => ({
        found: child,
        ofCustomer: customer,
        institution: bank,
        above: parent,
        legalReps: [legalRep],
      })),
    );
    expect(lookups.count()).toBe(1);
  } finally {
    lookups.end();
  }
});

test("an account's legal representatives are found with it, however many; one that is not its own is asked for", async () => {
  const ids = Array.from({ length: 40 }, (_, at) => `of-many-${at}`);
  const many = accountWith("many", { legalRepIds: ids });
  await store.write(async (tx) => {
    for (const id of ids) await tx.insert(legalRepsTable, { ...legalRep, id });
    await tx.insert(accounts, many);
  });
  const queried = vi.spyOn(pg.Client.prototype, "query");
  const asked = () =>
    queried.mock.calls.filter(([sent]) => {
      const { text } = Object(sent);
      return String(text).includes("legal_reps") && text !== accountLookupSql;
    }).length;
  try {
    const found = (sought: readonly string[]) =>
      store.read(async (view) => {
        await view.one(accountById, bank.id, many.id);
        return (await legalRepsOf(view, bank.id, sought)).map(({ id }) => id);
      });
    for (const sought of [ids, ids.slice(3, 5), [...ids, "of-many-0"].toReversed(), []])
      expect(await found(sought)).toEqual(sought);
    expect(asked()).toBe(0);
    expect(await found(["of-many-1", legalRep.id, "none"])).toEqual(["of-many-1", legalRep.id]);
    expect(asked()).toBe(1);
  } finally {
    queried.mockRestore();
  }
});

test("each of many callers gets the account that it asked for, or none, over one connection", async () => {
  const lookups = watchLookups();
  try {
    const sought = Array.from(
      { length: 150 },
      (_, at) => [parent.id, child.id, `none-${at}`, "\ud800", "\0"][at % 5] ?? "",
    );
    const found = await Promise.all(
      sought.map((id) => store.read((view) => view.one(accountById, bank.id, id))),
    );
    const known = new Map([parent, child].map((each) => [each.id, each]));
    expect(found).toEqual(sought.map((id) => known.get(id)));
    // A statement takes 64 at most.
    expect(lookups.count()).toBe(3);
    expect(lookups.connections()).toBe(1);
  } finally {
    lookups.end();
  }
});

test("an account that is not there is not there", async () => {
  expect(await store.read((view) => view.one(accountById, bank.id, "none"))).toBeUndefined();
  expect(await store.read((view) => view.one(accountById, "elsewhere", child.id))).toBeUndefined();
});

test("what is read after the account belongs to the same state, also where the account is changed in between", async () => {
  const names: string[][] = [];
  const read = (between: (round: number) => Promise<void>) =>
    store.read(async (view) => {
      const found = await view.one(accountById, bank.id, account.id);
      names.push([found?.name ?? ""]);
      await between(names.length);
      const listed = await view.one(accountByNumber, bank.id, account.number);
      names.at(-1)?.push(listed?.name ?? "");
    });
  const rename = (name: string) => store.write((tx) => tx.replace(accounts, { ...account, name }));
  await store.write((tx) => tx.replace(accounts, { ...account, name: "before" }));

  await read(async () => undefined);
  expect(names.splice(0)).toEqual([["before", "before"]]);

  await read(async (round) => (round === 1 ? rename("after") : undefined));
  expect(names.splice(0)).toEqual([
    ["before", "after"],
    ["after", "after"],
  ]);

  // A state of its own: what is changed after the transaction began is not seen.
  await read(async (round) => rename(`in round ${round}`));
  expect(names.splice(0)).toEqual([
    ["after", "in round 1"],
    ["in round 1", "in round 1"],
  ]);
});

test("what was made of an account that was changed in between is not thrown either", async () => {
  let rounds = 0;
  const read = store.read(async (view) => {
    rounds += 1;
    const found = await view.one(accountById, bank.id, child.id);
    if (rounds === 1) await store.write((tx) => tx.replace(accounts, { ...child, name: "another" }));
    const again = await view.one(accountByNumber, bank.id, child.number);
    if (found?.name !== again?.name) throw new Error("two states");
    return rounds;
  });
  expect(await read).toBe(2);
});

/** As many rows as tell the planner that reading all of an institution's is no good. */
async function fill(table: string): Promise<void> {
  const [[names, values] = []] = await database.execute(
    "SELECT string_agg(column_name, ', '), string_agg(CASE WHEN column_name IN ('id', 'number') THEN '''many'' || n' " +
      `ELSE 't.' || column_name END, ', ') FROM information_schema.columns WHERE table_name = '${table}' AND table_schema = 'public'`,
  );
  await database.execute(
    `INSERT INTO ${table} (${String(names)}) SELECT ${String(values)} FROM generate_series(1, 1000) n, (SELECT * FROM ${table} LIMIT 1) t`,
  );
  await database.execute(`ANALYZE ${table}`);
}

async function planOf(): Promise<readonly string[]> {
  const lines = await database.execute(`EXPLAIN (GENERIC_PLAN, COSTS OFF) ${accountLookupSql}`);
  return lines.flat().map(String);
}

test("each record is looked up by its key", async () => {
  // Before the server has counted anything, too: connections keep their first plan until it has.
  const first = (await planOf()).join("\n");
  expect(first).toMatch(/ on accounts a\n +Index Cond: \(\(institution_id = \S+\) AND \(id = \S+\)\)/);
  for (const table of ["customers", "accounts", "legal_reps"]) await fill(table);
  const plan = await planOf();
  const text = plan.join("\n");
  const wrong = plan.filter((line) => /Seq Scan on (?!institutions)|Filter|Sort/.test(line));
  expect(wrong, text).toEqual([]);
  const keyed = plan.filter((line) => /(?:accounts|customers|legal_reps)_pkey/.test(line));
  expect(keyed.length, text).toBe(4);
});
