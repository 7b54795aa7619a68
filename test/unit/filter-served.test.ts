import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Store } from "../../runtime/store/ports/index.ts";
import { openStore } from "../bank-stores.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { fits } from "../store-contract/reference-evaluation.ts";
import { fc, runs } from "../seed.ts";
import { firstBank, openBank, type Bank } from "./handlers-bank.ts";
import { openBusiness } from "./handlers-people.ts";
import { printFilter } from "./print-filter.ts";
import { accountPage } from "../../ledger/books/listing/index.ts";
import type { AccountCondition, AccountListing } from "../../ledger/domain/lists.ts";

/**
 * Random filters over signed ListAccounts: the service returns what the condition behind the text means by its
 * documentation.
 */
const folder = mkdtempSync(join(tmpdir(), "filter-served-"));
afterAll(() => rmSync(folder, { recursive: true }));

const names = ["Operating", "operating 2", "Savings", "a*b", 'say "no"', "back\\slash", "Écran"] as const;
const types = ["CHECKING", "SAVINGS", "WALLET"] as const;
const startMs = Date.UTC(2026, 2, 2, 12);

describe.each([
  ["memory", "memory:"],
  ["SQLite", `sqlite:${join(folder, "ledger.sqlite")}`],
])("in %s", (_, url) => {
  let store: Store;
  let bank: Bank;
  let all: readonly AccountListing[];

  beforeAll(async () => {
    store = await openStore(url, optionsUnderTest);
    bank = await openBank({}, store);
    const { customerId } = await openBusiness(bank);
    for (const [at, name] of names.entries()) {
      bank.clock.advance(1_000);
      const accountType = types[at % types.length];
      const currency = at % 2 === 0 ? "USD" : "EUR";
      await bank.ledger("CustomerService.AddAccount", {
        customerID: customerId,
        name,
        accountType,
        currency,
      });
    }
    all = await store.read((view) =>
      view.page(accountPage({ institutionId: firstBank, offset: 0, limit: 1_000 })),
    );
  });
  afterAll(() => store.close());

  test("a filter finds what it says", async () => {
    expect(all.length).toBeGreaterThan(names.length);
    let found = 0;
    await fc.assert(
      fc.asyncProperty(conditions, async (condition) => {
        const filter = printFilter(condition);
        const { result, error } = await bank.ledger("AccountService.ListAccounts", { filter, PageSize: 100 });
        expect(error, filter).toBeUndefined();
        const ids: readonly string[] = result.accounts.map(({ id }: { id: string }) => id);
        expect(ids, filter).toEqual(
          all.filter((listing) => fits(condition, listing)).map(({ account }) => account.id),
        );
        found += ids.length;
      }),
      { numRuns: runs(50) },
    );
    // Filters that find nothing try nothing.
    expect(found).toBeGreaterThan(runs(50));
  });

  test("whatever text is asked, it is an answer or BAD_INPUT about the filter", async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (filter) => {
        const { error } = await bank.ledger("AccountService.ListAccounts", { filter, PageSize: 1 });
        if (error !== undefined)
          expect(error).toMatchObject({ code: "BAD_INPUT", data: { field: "/filter", reason: "filter" } });
      }),
      { numRuns: runs(30) },
    );
  });
});

const orders = ["=", "!=", "<", "<=", ">", ">="] as const;
const leaf: fc.Arbitrary<AccountCondition> = fc.oneof(
  fc.record({
    kind: fc.constant("text" as const),
    field: fc.constantFrom("name" as const, "customerName" as const, "number" as const),
    op: fc.constantFrom(...orders, "has" as const, "prefix" as const),
    value: fc.constantFrom(...names, "oper", "OPERATING", "é", "*", '"', "1", "Northwind Traders LLC"),
  }),
  fc.record({
    kind: fc.constant("text" as const),
    field: fc.constant("accountType" as const),
    op: fc.constantFrom("=" as const, "!=" as const),
    value: fc.constantFrom(...types, "GL"),
  }),
  fc.record({
    kind: fc.constant("time" as const),
    field: fc.constantFrom("createdDate" as const, "updatedDate" as const),
    op: fc.constantFrom(...orders),
    value: fc.integer({ min: -2, max: names.length + 2 }).map((seconds) => startMs + seconds * 1_000),
  }),
  fc.record({
    kind: fc.constant("amount" as const),
    field: fc.constantFrom("balance" as const, "ledgerBalance" as const, "holdBalance" as const),
    op: fc.constantFrom(...orders),
    digits: fc.bigInt(-1n, 1n),
    scale: fc.nat(2),
  }),
  fc.record({
    kind: fc.constant("flag" as const),
    field: fc.constant("isVerify" as const),
    op: fc.constantFrom("=" as const, "!=" as const),
    value: fc.boolean(),
  }),
);

const { condition: conditions } = fc.letrec<{ condition: AccountCondition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { weight: 2, arbitrary: leaf },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom("and" as const, "or" as const),
        terms: fc.array(tie("condition"), { minLength: 2, maxLength: 3 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("not" as const), term: tie("condition") }) },
  ),
}));

const words = [
  "(",
  ")",
  " AND ",
  " OR ",
  "NOT ",
  "-",
  "name",
  "status",
  "number",
  "=",
  ":",
  ">",
  '"',
  "\\",
  "*",
];
const texts = fc
  .array(fc.oneof(fc.constantFrom(...words, " ", "ACTIVE", "0", "2026-01-01"), fc.string({ maxLength: 3 })), {
    maxLength: 9,
  })
  .map((parts) => parts.join(""));
