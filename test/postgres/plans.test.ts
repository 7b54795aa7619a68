import { afterAll, beforeAll, expect, test } from "vitest";
import * as bankQueries from "../../ledger/tables/index.ts";
import * as queries from "../../runtime/store/tables/index.ts";
import type { QueryShape } from "../../runtime/store/tables/index.ts";
import { pgDialect, type PgValue } from "../../runtime/store/postgres/dialect.ts";
import { lockingSql } from "../../runtime/store/postgres/engine/engine.ts";
import { accountListing } from "../../ledger/books/listing/account-listing.ts";
import { transactionListing } from "../../ledger/books/listing/transaction-listing.ts";
import type { Reading } from "../../runtime/store/sql/listing.ts";
import { selectStatement } from "../../runtime/store/sql/statements.ts";
import { testDatabase, type TestDatabase } from "./databases.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  // A plan that still reads a whole table or sorts has no index that spares it, however many rows there are.
  await database.execute("SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off");
});
afterAll(async () => {
  await database.execute("RESET ALL");
  await database.dispose();
});

/** The lines of the plan, whatever the values of the parameters. */
async function planOf(sql: string): Promise<readonly string[]> {
  return (await database.execute(`EXPLAIN (GENERIC_PLAN, COSTS OFF) ${sql}`)).map(([line]) => String(line));
}

/** What may read a whole table, because the table stays small. */
const scansAllowed: readonly string[] = ["institutions", "service_keys"];

/** What may sort, and why that is little. */
const sortsAllowed: Readonly<Record<string, string>> = {
  dueMails: "mails that are due",
  "lanesOf.topic": "the values that were found, up to a limit",
  "lanesOf.group": "the values that were found, up to a limit",
  "subscribersOf.group": "the values that were found, up to a limit",
  laneHeads: "the values that were found, up to a limit",
  firstOpenDeliveries: "the values that were found, up to a limit",
  firstDueDeliveries: "the values that were found, up to a limit",
  allServiceKeys: "a service has few",
  openDeliveries: "the oldest that are open",
};

/** A query for SQLite alone: claims over PostgreSQL end by time, and no start releases them. */
const neverAsked = "claimedDeliveries";

const all = Object.entries({ ...queries, ...bankQueries }).flatMap(([name, query]) => {
  if (name === neverAsked) return [];
  if (isQuery(query)) return [{ name, query }];
  return isGroup(query)
    ? Object.entries(query).map(([part, each]) => ({ name: `${name}.${part}`, query: each }))
    : [];
});

test.each(all)("$name is answered through an index", async ({ name, query }) => {
  const { sql } = selectStatement(query, pgDialect);
  const plan = await planOf(sql);
  const text = `${sql}\n${plan.join("\n")}`;
  const scanned = plan.flatMap((line) => /Seq Scan on (\w+)/.exec(line)?.[1] ?? []);
  expect(
    scanned.filter((table) => !scansAllowed.includes(table)),
    text,
  ).toEqual([]);
  // Whole indexes are read past what does not fit where no condition of theirs bounds them.
  const isBounded = plan.some((line) => line.includes("Index Cond:"));
  const isSifted = plan.some((line) => line.includes("Filter:"));
  expect(isSifted && !isBounded, text).toBe(false);
  if (plan.some((line) => /\bSort\b/.test(line))) expect(sortsAllowed, text).toHaveProperty([name]);
});

/** Queries that pass over rows before they lock any: few rows, because those that fit end with the transaction. */
const siftingAllowed: readonly string[] = ["openBefore", "urgentMails"];

const locking = all.filter(({ query }) => query.locks !== undefined && query.locks !== "turn");

test.each(locking)("$name locks the rows that an index gives, and no others", async ({ name, query }) => {
  const sql = lockingSql(query);
  const plan = await planOf(sql);
  const text = `${sql}\n${plan.join("\n")}`;
  expect(
    plan.filter((line) =>
      (siftingAllowed.includes(name) ? /Seq Scan|\bSort\b/ : /Seq Scan|\bSort\b|Filter:/).test(line),
    ),
    text,
  ).toEqual([]);
  expect(
    plan.some((line) => line.includes("LockRows")),
    text,
  ).toBe(true);
  expect(
    plan.some((line) => line.includes("Index Cond:")),
    text,
  ).toBe(true);
});

test("every query of the store is looked at", () => {
  expect(all.length).toBeGreaterThan(45);
  expect(locking.map(({ name }) => name)).toContain("dueDeliveries");
});

const bank = { institutionId: "bank", limit: 15 };
const pages: Readonly<Record<string, Reading<PgValue, unknown>>> = {
  "accounts, page 1": accountListing({ ...bank, offset: 0 }, pgDialect),
  "accounts, page 10,000": accountListing({ ...bank, offset: 149_985 }, pgDialect),
  "accounts of a customer": accountListing({ ...bank, offset: 0, customerIds: ["c"] }, pgDialect),
  "transactions of an account": transactionListing({ ...bank, accountId: "a", offset: 0 }, pgDialect),
  "transactions, page 10,000": transactionListing({ ...bank, accountId: "a", offset: 149_985 }, pgDialect),
  "transactions of a customer": transactionListing(
    { ...bank, accountId: "a", offset: 0, customerIds: ["c"] },
    pgDialect,
  ),
};

test.each(Object.entries(pages))(
  "each step of a page of %s is answered through indexes",
  async (_name, reading) => {
    let turn = reading.next();
    let steps = 0;
    while (turn.done !== true && steps < 6) {
      const { sql } = turn.value;
      const plan = await planOf(sql);
      const wrong = plan.filter((line) => /\bSort\b(?! Key)|Seq Scan on (?!institutions)/.test(line));
      expect(wrong, `${sql}\n${plan.join("\n")}`).toEqual([]);
      steps += 1;
      turn = reading.next(/FROM institutions/.test(sql) ? [["bank", "Bank"]] : []);
    }
    expect(steps).toBeGreaterThan(0);
  },
);

function isGroup(value: unknown): value is Readonly<Record<string, QueryShape>> {
  return typeof value === "object" && value !== null && Object.values(value).every(isQuery);
}

function isQuery(value: unknown): value is QueryShape {
  return typeof value === "object" && value !== null && "table" in value && "where" in value;
}
