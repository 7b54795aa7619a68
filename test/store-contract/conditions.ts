import { beforeEach, describe, expect, test } from "vitest";
import type { Store } from "../../runtime/store/ports/index.ts";
import { accountPlans, conditions, type AccountPlan } from "./condition-arbitraries.ts";
import { fits } from "./reference-evaluation.ts";
import { accountWith, bank, insertParties, postingsOf, transactionWith } from "./samples.ts";
import { storeForEachTest, type OpenStore } from "./store-under-test.ts";
import { fc, runs } from "../seed.ts";
import { accountPage } from "../../ledger/books/listing/index.ts";
import { accounts, transactions } from "../../ledger/tables/index.ts";
import { appendPostings } from "../../ledger/books/postings.ts";
import type { AccountCondition } from "../../ledger/domain/lists.ts";

export function describeConditions(open: OpenStore, runsShare: number): void {
  describe("conditions", () => {
    const store = storeForEachTest(open);
    beforeEach(() => store().write(insertParties));

    // Over one store: each that is opened starts threads for its lists.
    test("take text, amounts and wildcards for what they are", async () => {
      for (const [at, { plans }] of examples.entries()) await insertPlans(store(), plans, `${at}.`);
      for (const [at, { title, condition, expected }] of examples.entries()) {
        const own = (id: string) => id.startsWith(`${at}.`);
        const found = await idsMatching(store(), condition);
        expect(found.filter(own), title).toEqual(expected.map((id) => `${at}.${id}`));
      }
    });

    test("find no account with no alternative, and every one with nothing to meet", async () => {
      expect(await idsMatching(store(), { kind: "or", terms: [] })).toEqual([]);
      expect(await idsMatching(store(), { kind: "and", terms: [] })).toEqual(["account-1"]);
    });

    test("mean what their documentation says, for any accounts and any condition", async () => {
      await fc.assert(
        fc.asyncProperty(
          accountPlans,
          fc.array(conditions, { minLength: 1, maxLength: 30 }),
          async (plans, asked) => {
            const opened = await open();
            try {
              await opened.store.write(insertParties);
              await insertPlans(opened.store, plans);
              const all = await opened.store.read((view) => view.page(accountPage(everything)));
              for (const condition of asked) {
                const expected = all
                  .filter((listing) => fits(condition, listing))
                  .map(({ account }) => account.id);
                expect(await idsMatching(opened.store, condition)).toEqual(expected);
              }
            } finally {
              await opened.dispose();
            }
          },
        ),
        { numRuns: Math.ceil(runs(20) * runsShare) },
      );
    });
  });
}

const everything = { institutionId: bank.id, offset: 0, limit: 1_000 };

/** Each plan's account is `p0`, `p1` …; its counterpart, which holds the opposite amount, is `g0`, `g1` … */
async function insertPlans(store: Store, plans: readonly AccountPlan[], prefix = ""): Promise<void> {
  await store.write(async (tx) => {
    for (const [index, { fields, ledgerMinor }] of plans.entries()) {
      await tx.insert(accounts, accountWith(`${prefix}p${index}`, fields));
      await tx.insert(accounts, accountWith(`${prefix}g${index}`, { currency: fields.currency ?? "USD" }));
      await tx.insert(transactions, transactionWith(`${prefix}t${index}`));
      const legs = [
        [`${prefix}p${index}`, ledgerMinor] as const,
        [`${prefix}g${index}`, -ledgerMinor] as const,
      ];
      await appendPostings(
        tx,
        postingsOf(`${prefix}t${index}`, legs, { currency: fields.currency ?? "USD" }),
      );
    }
  });
}

async function idsMatching(store: Store, condition: AccountCondition): Promise<readonly string[]> {
  const listed = await store.read((view) => view.page(accountPage({ ...everything, condition })));
  return listed.map(({ account }) => account.id);
}

interface Example {
  readonly title: string;
  readonly plans: readonly AccountPlan[];
  readonly condition: AccountCondition;
  readonly expected: readonly string[];
}

const int64Max = 2n ** 63n - 1n;

const examples: readonly Example[] = [
  {
    title: "compare a decimal with amounts of currencies with other decimals",
    plans: ["JPY", "USD", "BHD", "CLF"].map((currency) => ({
      fields: { currency, name: "x" },
      ledgerMinor: 1_000n,
    })),
    condition: all(
      { kind: "text", field: "name", op: "=", value: "x" },
      amount("ledgerBalance", ">=", 1n, 0),
    ),
    expected: ["p0", "p1", "p2"],
  },
  {
    title: "compare a decimal finer than the currency's unit",
    plans: [10n, 11n].map((ledgerMinor) => ({ fields: { name: "x" }, ledgerMinor })),
    condition: all(
      { kind: "text", field: "name", op: "=", value: "x" },
      amount("ledgerBalance", ">", 1_005n, 4),
    ),
    expected: ["p1"],
  },
  {
    title: "take no fraction of a unit for equal to any amount",
    plans: [{ fields: {}, ledgerMinor: 10n }],
    condition: amount("ledgerBalance", "=", 1_005n, 4),
    expected: [],
  },
  {
    title: "compare balances that leave 64 bits",
    plans: [{ fields: { holdMinor: -int64Max, preAuthMinor: -int64Max }, ledgerMinor: int64Max }],
    condition: amount("balance", ">", 2n * int64Max, 2),
    expected: ["p0"],
  },
  {
    title: "take wildcards of SQL for what they are",
    plans: ["100%", "1000", "a_b", "aXb", "back\\slash"].map((name) => ({
      fields: { name },
      ledgerMinor: 0n,
    })),
    condition: {
      kind: "or",
      terms: ["0%", "A_B", "K\\S"].map((value) => ({ kind: "text", field: "name", op: "has", value })),
    },
    expected: ["p0", "p2", "p4"],
  },
  {
    title: "take quotes and SQL for text",
    plans: [{ fields: { name: "') OR 1=1 --" }, ledgerMinor: 0n }],
    condition: { kind: "text", field: "name", op: "=", value: "') OR 1=1 --" },
    expected: ["p0"],
  },
  {
    title: "ignore case in `has` for ASCII alone, and never in a prefix",
    plans: ["ÉCOLE", "école", "Ecole"].map((name) => ({ fields: { name }, ledgerMinor: 0n })),
    condition: {
      kind: "or",
      terms: [
        { kind: "text", field: "name", op: "has", value: "éCOL" },
        { kind: "text", field: "name", op: "prefix", value: "eco" },
      ],
    },
    expected: ["p1"],
  },
  {
    title: "order text by code points",
    plans: ["\uffee", "\u{1f600}"].map((name) => ({ fields: { name }, ledgerMinor: 0n })),
    condition: { kind: "text", field: "name", op: ">", value: "\uffef" },
    expected: ["p1"],
  },
  {
    title: "take the last code points before and after the surrogates for prefixes like any other",
    plans: ["\ud7ffx", "\ue000", "\uffee", "\u{10ffff}x", "\u{10fffe}"].map((name) => ({
      fields: { name },
      ledgerMinor: 0n,
    })),
    condition: {
      kind: "or",
      terms: ["\ud7ff", "\u{10ffff}"].map((value) => ({ kind: "text", field: "name", op: "prefix", value })),
    },
    expected: ["p0", "p3"],
  },
];

function amount(
  field: "ledgerBalance" | "balance",
  op: "=" | ">" | ">=",
  digits: bigint,
  scale: number,
): AccountCondition {
  return { kind: "amount", field, op, digits, scale };
}

function all(...terms: readonly AccountCondition[]): AccountCondition {
  return { kind: "and", terms };
}
