import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  StoreBusyError,
  TooManyRowsError,
  type Store,
  type Writes,
} from "../../runtime/store/ports/index.ts";
import { createMemoryStore, openSqliteStore } from "../bank-stores.ts";
import { conditions } from "../store-contract/condition-arbitraries.ts";
import { delivery, event, subscription } from "../store-contract/delivery-samples.ts";
import { fits } from "../store-contract/reference-evaluation.ts";
import { accountWith, bank, customer, insertParties, otherBank } from "../store-contract/samples.ts";
import { fc, runs } from "../seed.ts";
import { accountPage } from "../../ledger/books/listing/index.ts";
import { accounts, customers, accountById } from "../../ledger/tables/index.ts";
import { insertSubscription } from "../../ledger/books/subscriptions.ts";
import {
  openDeliveries,
  openOfSubscription,
  events,
  deliveries as deliveriesTable,
} from "../../runtime/store/tables/index.ts";
import type { AccountCondition, AccountListing, AccountQuery } from "../../ledger/domain/lists.ts";

/** More than two blocks of accounts, which are halved at 2,048. */
const accountCount = 5_000;
const customerCount = 40;

const folder = mkdtempSync(join(tmpdir(), "account-lists-"));
const file = join(folder, "ledger.sqlite");
const memory = createMemoryStore();
let sqlite: Store;
/** All accounts of each institution, in order, by the memory store. */
const everything = new Map<string, readonly AccountListing[]>();

beforeAll(async () => {
  sqlite = await openSqliteStore({
    file,
    migrate: true,
    reads: { threads: 2, rowsMax: 1e9, timeMs: 600_000 },
  });
  for (const store of [memory, sqlite]) {
    await store.write(insertParties);
    await store.write(insertCustomers);
    for (let at = 0; at < accountCount; at += 500) {
      await store.write((tx) => insertAccounts(tx, at, at + 500));
    }
    await store.write(changeSome);
  }
  for (const institutionId of [bank.id, otherBank.id]) {
    const query = { institutionId, offset: 0, limit: 1e6 };
    everything.set(institutionId, await memory.read((view) => view.page(accountPage(query))));
  }
});
afterAll(async () => {
  await sqlite.close();
  rmSync(folder, { recursive: true });
});

describe("lists of accounts", () => {
  test("agree with the reference, whatever is asked, also far back in a long list", async () => {
    await fc.assert(
      fc.asyncProperty(queries, async (query) => {
        expect(await listed(sqlite, query)).toEqual(reference(query).map(textOfListing));
      }),
      { numRuns: runs(150) },
    );
  });

  test.each([
    ...["BLOCKED", "CLOSED", "ACTIVE", "DORMANT"].map((value) => textOf("status", "=", value)),
    ...["BLOCKED", "ACTIVE"].map((value) => textOf("status", "!=", value)),
    ...["CUSTODIAL", "SAVINGS", "GL"].map((value) => textOf("accountType", "=", value)),
    ...["rare", "a", "b\u0000a", ""].map((value) => textOf("accountCategory", "=", value)),
    ...["BHD", "USD", "EUR"].map((value) => textOf("currency", "=", value)),
    ...["048", "840"].map((value) => textOf("currencyCode", "=", value)),
    ...["GL0", "GL3", "GL9"].map((value) => textOf("glAccount", "=", value)),
  ])("pass over no block that has an account that fits: $field $op $value", async (condition) => {
    for (const asked of [condition, { kind: "not", term: condition } as const]) {
      const all = { institutionId: bank.id, condition: asked, offset: 0, limit: accountCount + 1 };
      const expected = reference(all).map(textOfListing);
      // The last page is right where every block before it was counted right.
      const last = { ...all, offset: Math.max(0, expected.length - 50) };
      expect(await listed(sqlite, last)).toEqual(expected.slice(-50));
    }
  });

  test("page after page give every account once, in order", async () => {
    const found: string[] = [];
    for (let offset = 0; offset <= accountCount; offset += 397) {
      found.push(...(await listed(sqlite, { institutionId: bank.id, offset, limit: 397 })));
    }
    expect(found).toEqual(await listed(memory, { institutionId: bank.id, offset: 0, limit: 1e6 }));
  });

  test("see in the same transaction what it wrote", async () => {
    const query = { institutionId: bank.id, offset: 0, limit: 1 };
    const work = sqlite.write(async (tx) => {
      await tx.insert(accounts, accountWith("first of all", { createdAt: -1_000_000 }));
      const [first] = await tx.page(accountPage(query));
      throw new Error(first?.account.id);
    });
    await expect(work).rejects.toThrow("first of all");
    expect(await listed(sqlite, query)).toEqual(await listed(memory, query));
  });

  test("end where they would look at too many rows, and others go on", async () => {
    const small = await openSmall({ rowsMax: 3_000 });
    try {
      const nowhere = textOf("name", "has", "nowhere");
      await expect(listed(small, { ...first, condition: nowhere })).rejects.toThrow(TooManyRowsError);
      await expect(listed(small, { ...first, condition: nowhere })).rejects.toThrow(/3000 rows.*narrow it/);
      const narrow: AccountCondition = {
        kind: "and",
        terms: [nowhere, { kind: "time", field: "createdDate", op: "<", value: 100 }],
      };
      expect(await listed(small, { ...first, condition: narrow })).toEqual([]);
      expect(await listed(small, { ...first, offset: 4_000 })).toHaveLength(9);
    } finally {
      await small.close();
    }
  });

  test("end when their time is up", async () => {
    const small = await openSmall({ timeMs: 0 });
    try {
      const later = { ...first, offset: 1_000 };
      await expect(listed(small, later)).rejects.toThrow(StoreBusyError);
      await expect(listed(small, later)).rejects.toThrow(/longer than 0 ms.*ask again/);
      // Read at once, without a thread.
      expect(await listed(small, first)).toHaveLength(9);
    } finally {
      await small.close();
    }
  });

  test("are refused to a caller who has too many waiting, and to no other", async () => {
    const condition = textOf("name", "has", "nowhere");
    const greedy = Array.from({ length: 80 }, () =>
      listed(sqlite, { ...first, condition, askedBy: "greedy" }),
    );
    const modest = listed(sqlite, { ...first, askedBy: "modest" });
    const outcomes = await Promise.allSettled(greedy);
    const refusals = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(refusals.length).toBeGreaterThan(0);
    for (const { reason } of refusals) expect(reason).toBeInstanceOf(StoreBusyError);
    expect(outcomes.length - refusals.length).toBeGreaterThan(60);
    expect(await modest).toHaveLength(9);
  });
});

describe("blocks of accounts", () => {
  test("count every account where it is, none too many, and know all its kinds", async () => {
    const database = new DatabaseSync(file, { readOnly: true });
    const wrong = database
      .prepare(
        `WITH placed AS (
          SELECT *, lead(created_at) OVER w AS end_at, lead(id) OVER w AS end_id FROM account_blocks
          WINDOW w AS (PARTITION BY institution_id ORDER BY created_at, id)
        )
        SELECT b.created_at, b.id, b.accounts, count(a.id) AS counted, sum(
          a.id IS NOT NULL AND b.kinds IS NOT NULL AND (
            instr(b.kinds, char(31) || 's' || a.status || char(31)) = 0
            OR instr(b.kinds, char(31) || 't' || a.type || char(31)) = 0
            OR instr(b.kinds, char(31) || 'c' || a.category || char(31)) = 0
            OR instr(b.kinds, char(31) || 'u' || a.currency || char(31)) = 0
            OR instr(b.kinds, char(31) || 'g' || a.gl_account || char(31)) = 0)
        ) AS unknown
        FROM placed b LEFT JOIN accounts a ON a.institution_id = b.institution_id
          AND (a.created_at, a.id) >= (b.created_at, b.id)
          AND (b.end_at IS NULL OR (a.created_at, a.id) < (b.end_at, b.end_id))
        GROUP BY b.institution_id, b.created_at, b.id
        HAVING b.accounts <> count(a.id) OR b.accounts >= 2048 OR unknown > 0`,
      )
      .all();
    const [shape] = database
      .prepare("SELECT count(*) AS blocks, sum(accounts) AS accounts FROM account_blocks")
      .all();
    database.close();
    expect(wrong).toEqual([]);
    expect(Number(shape?.["blocks"])).toBeGreaterThan(4);
    // The accounts of `insertParties` and of the other bank, too.
    expect(shape?.["accounts"]).toBe(accountCount + 2);
  });
});

describe("what is asked of all deliveries to come", () => {
  test("is answered by a thread where they are many, and is the same", async () => {
    const count = 1_100;
    await sqlite.write(async (tx) => {
      await insertSubscription(tx, subscription);
      const records = Array.from({ length: count }, (_, index) => ({ ...event, id: `e${index}` }));
      await tx.insert(events, ...records);
      await tx.insert(
        deliveriesTable,
        ...records.map(({ id }, index) => ({
          ...delivery,
          id: `d${index}`,
          eventId: id,
          state: "PENDING" as const,
          dueAt: 5,
          createdAt: 1_000 - index,
        })),
      );
    });
    const asked = await sqlite.read((view) =>
      Promise.all([
        view.count(openDeliveries, bank.id, "PENDING"),
        view.count(openOfSubscription, "PENDING", subscription.id, 0),
        view.count(openDeliveries, bank.id, "HELD"),
        view.one(openDeliveries, bank.id, "PENDING", 1),
      ]),
    );
    expect(asked.map((each) => (typeof each === "object" ? each.id : each))).toEqual([
      count,
      count,
      0,
      `d${count - 1}`,
    ]);
  });
});

const first = { institutionId: bank.id, offset: 0, limit: 9 };

/** The same accounts over a store of their own with other bounds. */
async function openSmall(bounds: { readonly rowsMax?: number; readonly timeMs?: number }): Promise<Store> {
  const copy = join(folder, `copy-${bounds.rowsMax ?? "any"}-${bounds.timeMs ?? "any"}.sqlite`);
  const database = new DatabaseSync(file, { readOnly: true });
  database.exec(`VACUUM INTO '${copy}'`);
  database.close();
  const reads = { threads: 1, rowsMax: 1e9, timeMs: 600_000, ...bounds };
  return openSqliteStore({ file: copy, migrate: true, reads });
}

async function listed(store: Store, query: AccountQuery): Promise<readonly string[]> {
  const found = await store.read((view) => view.page(accountPage(query)));
  return found.map(textOfListing);
}

function textOfListing({ account, customerName, institutionName }: AccountListing): string {
  return [account.id, account.createdAt, customerName, institutionName].join();
}

/** The page as its definition says: all in order, those that fit, from the offset on. */
function reference({
  institutionId,
  customerIds,
  condition,
  offset,
  limit,
}: AccountQuery): readonly AccountListing[] {
  return (everything.get(institutionId) ?? [])
    .filter(({ account }) => customerIds?.includes(account.customerId) ?? true)
    .filter((listing) => condition === undefined || fits(condition, listing))
    .slice(offset, offset + limit);
}

async function insertCustomers(tx: Writes): Promise<void> {
  for (let index = 0; index < customerCount; index += 1) {
    await tx.insert(customers, { ...customer, id: `c${index}`, name: `Customer ${index % 7}` });
  }
  const foreign = { ...customer, institutionId: otherBank.id };
  await tx.insert(customers, foreign);
  await tx.insert(accounts, accountWith("foreign", { institutionId: otherBank.id }));
}

/** The clock is set back now and then, many accounts share an instant, and some values are rare. */
async function insertAccounts(tx: Writes, from: number, to: number): Promise<void> {
  for (let index = from; index < to; index += 1) {
    const isLate = index % 3 === 0;
    const createdAt = Math.floor((isLate ? accountCount - index : index) / 4);
    await tx.insert(
      accounts,
      accountWith(`p${(index * 7_919) % accountCount}`, {
        createdAt,
        updatedAt: createdAt,
        customerId: `c${index % 11 === 0 ? 1 : (index * 31) % customerCount}`,
        name: ["a", "A", "b", "É", "%", "ab", "aB*"][index % 7] + (index % 5 === 0 ? String(index) : ""),
        category: ["", "a", "b\u0000a"][index % 3] ?? "",
        glAccount: `GL${index % 4}`,
        status: index === 1_234 ? "BLOCKED" : "ACTIVE",
        type: index % 900 === 1 ? "CUSTODIAL" : "SAVINGS",
        currency: index % 1_000 === 2 ? "BHD" : "USD",
        holdMinor: BigInt(index % 50),
        verified: index % 2 === 0,
      }),
    );
  }
}

/** What an account is changes after its block was made. */
async function changeSome(tx: Writes): Promise<void> {
  for (const [id, change] of [
    ["p17", { status: "CLOSED" }],
    ["p4711", { category: "rare" }],
  ] as const) {
    const found = await tx.one(accountById, bank.id, id);
    if (found === undefined) throw new Error(`${id} is missing`);
    await tx.replace(accounts, { ...found, ...change });
  }
}

function textOf(
  field: Extract<AccountCondition, { kind: "text" }>["field"],
  op: Extract<AccountCondition, { kind: "text" }>["op"],
  value: string,
): AccountCondition {
  return { kind: "text", field, op, value };
}

/** What indexes and blocks are for. */
const pointed: fc.Arbitrary<AccountCondition> = fc.oneof(
  fc.nat(accountCount).map((index) => textOf("id", "=", `p${index}`)),
  fc.nat(999).map((index) => textOf("id", "prefix", `p${index}`)),
  fc.nat(accountCount).map((index) => textOf("number", "=", `number of p${index}`)),
  fc.constantFrom("a", "A", "ab", "", "É", "%", "aB*5").map((value) => textOf("name", "=", value)),
  fc.constantFrom("a", "A1", "ab", "", "É", "%", "nowhere").map((value) => textOf("name", "prefix", value)),
  fc.nat(customerCount).map((index) => textOf("customerID", "=", `c${index}`)),
  fc.constantFrom("Customer 3", "Customer", "nobody").map((value) => textOf("customerName", "prefix", value)),
  fc.constantFrom("Customer 0", "Customer 6").map((value) => textOf("customerName", "=", value)),
  fc
    .constantFrom("BLOCKED", "CLOSED", "ACTIVE", "DORMANT")
    .chain((value) => fc.constantFrom("=" as const, "!=" as const).map((op) => textOf("status", op, value))),
  fc.constantFrom("CUSTODIAL", "SAVINGS", "GL").map((value) => textOf("accountType", "=", value)),
  fc.constantFrom("rare", "a", "b\u0000a", "").map((value) => textOf("accountCategory", "=", value)),
  fc.constantFrom("BHD", "USD", "EUR").map((value) => textOf("currency", "=", value)),
  fc.constantFrom("048", "840").map((value) => textOf("currencyCode", "=", value)),
  fc.constantFrom(bank.id, otherBank.id).map((value) => textOf("institutionID", "=", value)),
  fc.constantFrom("First", "Second").map((value) => textOf("institutionName", "has", value)),
  fc.record({
    kind: fc.constant("time" as const),
    field: fc.constantFrom("createdDate" as const, "updatedDate" as const),
    op: fc.constantFrom("=" as const, "<" as const, "<=" as const, ">" as const, ">=" as const),
    value: fc.nat(1_300),
  }),
);

const composed: fc.Arbitrary<AccountCondition> = fc.oneof(
  pointed,
  pointed.map((term): AccountCondition => ({ kind: "not", term })),
  conditions,
  fc
    .tuple(
      fc.constantFrom("and" as const, "or" as const),
      fc.array(fc.oneof(pointed, conditions), { maxLength: 4 }),
    )
    .map(([kind, terms]): AccountCondition => ({ kind, terms })),
);

const queries: fc.Arbitrary<AccountQuery> = fc
  .record({
    institutionId: fc.constantFrom(bank.id, bank.id, bank.id, otherBank.id, "nowhere"),
    customerIds: fc.option(
      fc.array(
        fc.nat(customerCount).map((index) => `c${index}`),
        { maxLength: 6 },
      ),
      { nil: undefined, freq: 2 },
    ),
    condition: fc.option(composed, { nil: undefined, freq: 4 }),
    offset: fc.oneof(
      fc.constant(0),
      fc.nat(60),
      fc.nat(accountCount + 100),
      fc.constant(Number.MAX_SAFE_INTEGER),
    ),
    limit: fc.oneof(fc.constant(15), fc.integer({ min: 1, max: 100 })),
  })
  .map(({ customerIds, condition, ...query }) => ({
    ...query,
    ...(customerIds !== undefined && { customerIds }),
    ...(condition !== undefined && { condition }),
  }));
