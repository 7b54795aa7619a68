import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { schema } from "../../ledger/schema.ts";
import { parseFilter } from "../../ledger/domain/filter/index.ts";
import * as bankQueries from "../../ledger/tables/index.ts";
import * as queries from "../../runtime/store/tables/index.ts";
import type { QueryShape } from "../../runtime/store/tables/index.ts";
import { accountListing } from "../../ledger/books/listing/account-listing.ts";
import { transactionListing } from "../../ledger/books/listing/transaction-listing.ts";
import { countStatement, selectStatement, updateStatement } from "../../runtime/store/sql/statements.ts";
import { sqliteDialect, type SqliteValue } from "../../runtime/store/sqlite/connection.ts";
import { versions } from "../../runtime/store/sqlite/schema.ts";
import type { AccountQuery } from "../../ledger/domain/lists.ts";

const database = new DatabaseSync(":memory:", { returnArrays: true, readBigInts: true });
database.exec(versions(schema).whole.sql);
database.exec("INSERT INTO institutions VALUES ('bank', 'Bank')");

/** Queries that may read a whole table, because the table stays small or all of it is needed. */
const scansAllowed: Readonly<Record<string, string>> = {
  counted: "what a count has found, one by one",
  institutions: "a service has few",
  service_keys: "a service has few",
  outbox_events: "by its key, in its order, up to a limit",
  chain_roots: "by its key, in its order, up to a limit",
  lane_events: "in the order of an index, up to a limit",
  groups: "the values that were found, one by one, up to a limit",
  CONSTANT: "one row",
};

/** What may sort, and why that is little. */
const sortsAllowed: Readonly<Record<string, string>> = {
  openDeliveries: "the oldest that are open; on a thread where they are many",
  dueMails: "mails that are due",
  "lanesOf.topic": "the values that were found, up to a limit",
  "lanesOf.group": "the values that were found, up to a limit",
  "subscribersOf.group": "the values that were found, up to a limit",
  firstOpenDeliveries: "the values that were found, up to a limit",
  firstDueDeliveries: "the values that were found, up to a limit",
  laneHeads: "the values that were found, up to a limit",
  allServiceKeys: "a service has few",
};

const all = Object.entries({ ...queries, ...bankQueries }).flatMap(([name, query]) => {
  if (isQuery(query)) return [{ name, query }];
  return isGroup(query)
    ? Object.entries(query).map(([part, each]) => ({ name: `${name}.${part}`, query: each }))
    : [];
});

test.each(all)("$name is answered through an index", ({ name, query }) => {
  for (const { sql } of [selectStatement(query, sqliteDialect), countStatement(query, sqliteDialect, 9)]) {
    const plan = planOf(sql);
    for (const step of plan) {
      const scanned = /^SCAN (\w+)/.exec(step)?.[1];
      if (scanned !== undefined && scanned !== "json_each")
        expect(scansAllowed, `${sql}\n${plan.join("\n")}`).toHaveProperty(scanned);
      if (step.includes("TEMP B-TREE"))
        expect(sortsAllowed, `${sql}\n${plan.join("\n")}`).toHaveProperty([name]);
    }
  }
});

test.each([
  ["deliveries", queries.claimedDeliveries, "deliveries_claimed"],
  ["mails", queries.claimedMails, "outbox_mails_claimed"],
])("claimed %s are released by an index of what is claimed, however many wait", (_name, query, index) => {
  const { sql } = updateStatement(
    query,
    query.table.columns.filter(({ name }) => name === "claim"),
    sqliteDialect,
  );
  expect(planOf(sql)).toEqual([expect.stringContaining(index)]);
});

test("a page of a subject's audit entries begins at its place, however far behind the first it is", () => {
  const asked = { institutionId: "bank", subject: { type: "user", id: "u" }, limit: 9 };
  for (const [place, bound] of [
    [{ before: 5 }, "position<?"],
    [{ after: 5 }, "position>?"],
  ] as const) {
    const { sql } = selectStatement(queries.auditListing({ ...asked, ...place }).query, sqliteDialect);
    expect(planOf(sql)).toEqual([expect.stringContaining(bound)]);
  }
});

test.each([
  [{ eventId: "e" }, "(event_id=?)"],
  [{ eventId: "e", from: 1, after: { createdAt: 2, id: "x" } }, "(event_id=?)"],
  [{ subscriptionId: "s" }, "deliveries_by_subscription (subscription_id=?)"],
  [{ subscriptionId: "s", state: "DEAD" as const }, "deliveries_dead_by_subscription (subscription_id=?)"],
  [{ state: "DEAD" as const }, "deliveries_dead (institution_id=?)"],
])("deliveries of %o are found without passing over those of others", (asked, index) => {
  const { query } = queries.deliveryListing({ institutionId: "bank", limit: 9, ...asked });
  expect(planOf(selectStatement(query, sqliteDialect).sql)[0]).toContain(index);
});

test("every query of the store is looked at", () => {
  expect(all.length).toBeGreaterThan(45);
});

const filters = [
  undefined,
  "id = x",
  "number = 1*",
  'name = "nobody"',
  "customerID = c OR customerID = d",
  'customerName = "Ann*" AND status = ACTIVE',
  'name:"zz" OR balance > 5',
  "createdDate >= 2026-01-01T00:00:00Z AND customerName:x",
  "currencyCode = 840 AND NOT accountType = GL",
];

test.each(
  filters.flatMap((filter) =>
    [undefined, ["c", "d"]].map((customerIds) => ({
      filter,
      customerIds,
    })),
  ),
)(
  "each step of a list by $filter of customers $customerIds looks at a bounded part",
  ({ filter, customerIds }) => {
    const parsed = parseFilter(filter ?? "");
    if (!parsed.ok) throw new Error(parsed.fault.message);
    const query: AccountQuery = {
      institutionId: "bank",
      offset: 10_000,
      limit: 15,
      ...(customerIds !== undefined && { customerIds }),
      ...(parsed.value !== undefined && { condition: parsed.value }),
    };
    for (const sql of stepsOf(query)) {
      for (const step of planOf(sql)) {
        if (/account_blocks|counted|placed/.test(sql))
          expect(step).not.toMatch(/SCAN (?:accounts|a|customers|c)\b/);
        else expect(step).not.toMatch(/^SCAN (?!json_each)/);
        const searched = /^SEARCH (?:accounts|a)\b.*\((institution_id=.*)\)$/.exec(step)?.[1];
        if (searched !== undefined)
          expect(searched).toMatch(
            /^institution_id=\? AND (?:id=\?|\(created_at,id\)[>=<]|customer_id[=>]\?|name[=>]|number[=>]|id>)/,
          );
      }
    }
  },
);

test.each([
  { offset: 0, customerIds: undefined },
  { offset: 100_000, customerIds: undefined },
  { offset: 0, customerIds: ["c", "d"] },
])(
  "each step of a list of transactions from $offset of customers $customerIds is answered in the order of an index",
  ({ offset, customerIds }) => {
    const page = { institutionId: "bank", accountId: "a", offset, limit: 15 };
    const reading = transactionListing(
      { ...page, ...(customerIds !== undefined && { customerIds }) },
      sqliteDialect,
    );
    const tables = new Set<string>();
    let steps = 0;
    for (let turn = reading.next(); turn.done !== true && steps < 6; steps += 1) {
      const plan = planOf(turn.value.sql);
      // The last rows that it reads are the page's transactions, which are sorted.
      const isPage = plan.some((step) => step.includes("id=?)"));
      expect(plan.some((step) => step.includes("TEMP B-TREE")) && !isPage, plan.join("\n")).toBe(false);
      for (const step of plan.filter((each) => each.startsWith("SEARCH") || each.startsWith("SCAN"))) {
        expect(step).toMatch(transactionSteps);
        tables.add(step.split(" ")[1] ?? "");
      }
      turn = reading.next([[BigInt(steps), "t", 4_096n]]);
    }
    expect(steps).toBeGreaterThan(customerIds === undefined ? 1 : 0);
    expect(tables.has("transaction_marks")).toBe(offset > 0);
  },
);

/** Each side by its index, the marks of an account by their counts, the transactions of a page by their keys. */
const transactionSteps =
  /^SEARCH transactions USING .*INDEX transactions_by_(?:debtor|creditor) \(.*\(created_at,id\)>\(\?,\?\)\)|^SEARCH transaction_marks USING .*INDEX transaction_marks_by_count \(institution_id=\? AND account_id=\? AND counted<\?\)$|^SEARCH transactions .*\(institution_id=\? AND id=\?\)$|^SCAN json_each/;

/** The steps, each answered as if it had found something. */
function stepsOf(query: AccountQuery): readonly string[] {
  const steps: string[] = [];
  const reading = accountListing(query, sqliteDialect);
  let turn = reading.next();
  while (turn.done !== true && steps.length < 20) {
    const { sql } = turn.value;
    steps.push(sql);
    turn = reading.next(answerTo(sql));
  }
  return steps;
}

function answerTo(sql: string): readonly (readonly SqliteValue[])[] {
  if (sql.startsWith("SELECT name FROM institutions")) return [["Bank"]];
  if (sql.includes("end_at")) return [[1n, "a", 5n, 9n, "b"]];
  if (sql.includes("before")) return [[1n, "a", 9_000n]];
  return sql.startsWith("SELECT id FROM customers") ? [["c"]] : [[1n, "a"]];
}

function planOf(sql: string): readonly string[] {
  // SQLite would prepare it anew each time that a number is bound.
  expect(sql).not.toMatch(/LIMIT \?\d+(?!\d| \+ 0)/);
  return database
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map((row) => String(Object.values(row)[3]));
}

function isQuery(value: unknown): value is QueryShape {
  return typeof value === "object" && value !== null && "table" in value && "where" in value;
}

function isGroup(value: unknown): value is Readonly<Record<string, QueryShape>> {
  return typeof value === "object" && value !== null && Object.values(value).every(isQuery);
}
