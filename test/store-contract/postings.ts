import { beforeEach, describe, expect, test } from "vitest";
import { DuplicateRecordError, type Writes } from "../../runtime/store/ports/index.ts";
import type { ChainedPostingRecord, PostingRecord } from "../../ledger/domain/records/accounts.ts";
import {
  account,
  accountWith,
  bank,
  insertParties,
  ledgerFindings,
  otherBank,
  postingsOf,
  transactionWith,
} from "./samples.ts";
import { storeForEachTest, type OpenStore } from "./store-under-test.ts";
import { fc, runs as runsOf } from "../seed.ts";
import {
  accounts,
  transactions as transactionsTable,
  accountById,
  postingsOfTransaction,
} from "../../ledger/tables/index.ts";
import { appendPostings } from "../../ledger/books/postings.ts";

const int64Max = 2n ** 63n - 1n;

export function describePostings(open: OpenStore): void {
  describe("postings", () => {
    const store = storeForEachTest(open);
    beforeEach(() =>
      store().write(async (tx) => {
        await insertParties(tx);
        for (const id of ["a", "b", "c"]) await tx.insert(accounts, accountWith(id));
        await tx.insert(accounts, accountWith("yen", { currency: "JPY" }));
        await tx.insert(accounts, accountWith("yen2", { currency: "JPY" }));
        for (const id of ["t1", "t2"]) await tx.insert(transactionsTable, transactionWith(id));
      }),
    );
    const ledgers = (...ids: readonly string[]) =>
      store().read((view) =>
        Promise.all(ids.map(async (id) => (await view.one(accountById, bank.id, id))?.ledgerMinor)),
      );

    test("move the ledgers of their accounts, and are given back by transaction", async () => {
      const postings = [
        ...postingsOf("t1", [
          ["a", -100n],
          ["b", 70n],
          ["b", 30n],
        ]),
        ...postingsOf(
          "t1",
          [
            ["yen", -5n],
            ["yen2", 5n],
          ],
          { currency: "JPY" },
        ).map((posting) => ({ ...posting, id: `${posting.id}/yen` })),
      ];
      await store().write(async (tx) => {
        await appendPostings(tx, postings);
        expect((await tx.one(accountById, bank.id, "b"))?.ledgerMinor).toBe(100n);
      });
      expect(await ledgers("a", "b", "yen", "yen2")).toEqual([-100n, 100n, -5n, 5n]);
      const kept = await store().read((view) => view.many(postingsOfTransaction, bank.id, "t1"));
      expect(kept.map(unlinked)).toStrictEqual(
        postings.toSorted((left, right) => (left.id < right.id ? -1 : 1)),
      );
      expect(await store().read((view) => view.many(postingsOfTransaction, bank.id, "t2"))).toEqual([]);
      expect(await store().read((view) => view.many(postingsOfTransaction, otherBank.id, "t1"))).toEqual([]);
    });

    test("are the only way to move a ledger", async () => {
      await store().write((tx) =>
        appendPostings(
          tx,
          postingsOf("t1", [
            ["a", -100n],
            ["b", 100n],
          ]),
        ),
      );
      await store().write((tx) => tx.replace(accounts, accountWith("a", { ledgerMinor: 5n, name: "A" })));
      expect(await ledgers("a")).toEqual([-100n]);
      await expect(
        store().write((tx) => tx.insert(accounts, accountWith("d", { ledgerMinor: 1n }))),
      ).rejects.toThrow(/only postings/);
    });

    test("that are refused change nothing, and the transaction goes on", async () => {
      const before = postingsOf("t1", [
        ["a", -1n],
        ["b", 1n],
      ]);
      await store().write(async (tx) => {
        await appendPostings(tx, before);
        for (const { title, postings, error } of refused)
          await expect(appendPostings(tx, postings), `postings that ${title}`).rejects.toThrow(error);
        await tx.replace(accounts, accountWith("c", { name: "went on" }));
      });
      expect(await ledgers("a", "b", "c", "yen")).toEqual([-1n, 1n, 0n, 0n]);
      const kept = await store().read((view) => view.many(postingsOfTransaction, bank.id, "t1"));
      expect(kept.map(unlinked)).toEqual(before);
      const all = await store().verify();
      expect(all.records["postings"]).toBe(before.length);
      expect(ledgerFindings(all)).toEqual([]);
    });

    test("that would take a ledger out of 64 bits are refused, and nothing is changed", async () => {
      await store().write((tx) =>
        appendPostings(
          tx,
          postingsOf("t1", [
            ["a", int64Max],
            ["b", -int64Max],
          ]),
        ),
      );
      for (const amountMinor of [1n, int64Max]) {
        await expect(
          store().write((tx) =>
            appendPostings(
              tx,
              postingsOf("t2", [
                ["c", -amountMinor],
                ["a", amountMinor],
              ]),
            ),
          ),
        ).rejects.toThrow(RangeError);
      }
      expect(await ledgers("a", "b", "c")).toEqual([int64Max, -int64Max, 0n]);
      expect(await store().read((view) => view.many(postingsOfTransaction, bank.id, "t2"))).toEqual([]);
    });

    test("of every kind add up, with sums that leave 64 bits on the way", async () => {
      await store().write(async (tx) => {
        for (const index of [1, 2, 3]) {
          await tx.insert(accounts, accountWith(`rich${index}`));
          await tx.insert(accounts, accountWith(`poor${index}`));
          await tx.insert(transactionsTable, transactionWith(`large${index}`));
          const legs = [[`rich${index}`, int64Max] as const, [`poor${index}`, -int64Max] as const];
          await appendPostings(tx, postingsOf(`large${index}`, legs));
        }
        await appendPostings(
          tx,
          postingsOf(
            "t1",
            [
              ["yen", 7n],
              ["yen2", -7n],
            ],
            { currency: "JPY" },
          ),
        );
      });
      const verification = await store().verify();
      expect(verification).toMatchObject({
        records: { accounts: 12, postings: 8 },
        sums: [
          { currency: "JPY", sumMinor: 0n },
          { currency: "USD", sumMinor: 0n },
        ],
      });
      expect(ledgerFindings(verification)).toEqual([]);
    });
  });
}

/** What holds whatever is posted. `runsShare`: the share of random runs for an adapter that is slow to open. */
export function describeRandomPostings(open: OpenStore, runsShare: number): void {
  describe("postings", () => {
    test("keep every sum at zero and every ledger right, whatever is appended and undone", async () => {
      await fc.assert(
        fc.asyncProperty(runs, async (transactions) => {
          const opened = await open();
          try {
            const model = new Map(["a", "b", "c", "d"].map((id) => [id, 0n]));
            await opened.store.write(async (tx) => {
              await insertParties(tx);
              for (const id of model.keys()) await tx.insert(accounts, accountWith(id));
            });
            await Promise.all(
              transactions.map(async ({ legs, unbalanced, fails }, index) => {
                const rest = legs.reduce((sum, [, amountMinor]) => sum + amountMinor, 0n);
                const all = [...legs, ["d", -rest + unbalanced] as const];
                const post = async (tx: Writes): Promise<void> => {
                  await tx.insert(transactionsTable, transactionWith(`t${index}`));
                  await appendPostings(tx, postingsOf(`t${index}`, all));
                  if (fails) throw new Error("undone");
                };
                const done = opened.store.write(post);
                if (fails || unbalanced !== 0n) return expect(done).rejects.toThrow(/undone|not to 0/);
                for (const [id, amountMinor] of all) model.set(id, (model.get(id) ?? 0n) + amountMinor);
                return done;
              }),
            );
            const verification = await opened.store.verify();
            expect(ledgerFindings(verification)).toEqual([]);
            expect(verification.sums.every(({ sumMinor }) => sumMinor === 0n)).toBe(true);
            for (const [id, ledgerMinor] of model) {
              const found = await opened.store.read((view) => view.one(accountById, bank.id, id));
              expect(found?.ledgerMinor).toBe(ledgerMinor);
            }
          } finally {
            await opened.dispose();
          }
        }),
        { numRuns: Math.ceil(runsOf(30) * runsShare) },
      );
    });
  });
}

/** Without its place in the chain. */
function unlinked({ position, hash, ...posting }: ChainedPostingRecord): PostingRecord {
  expect(position).toBeGreaterThan(0);
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  return posting;
}

const runs = fc.array(
  fc.record({
    legs: fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.bigInt(-(10n ** 12n), 10n ** 12n)), {
      minLength: 1,
      maxLength: 4,
    }),
    unbalanced: fc.constantFrom(0n, 0n, 0n, 1n),
    fails: fc.constantFrom(false, false, false, true),
  }),
  { maxLength: 20 },
);

const refused = [
  { title: "are none", postings: [], error: /no postings/ },
  {
    title: "do not balance",
    postings: postingsOf("t2", [
      ["a", -1n],
      ["b", 2n],
    ]),
    error: /sum to 1, not to 0/,
  },
  {
    title: "balance only over two currencies",
    postings: [
      ...postingsOf("t2", [["a", -1n]]),
      ...postingsOf("t2", [["yen", 1n]], { currency: "JPY", id: "y" }),
    ],
    error: /not to 0/,
  },
  {
    title: "are in another currency than their account",
    postings: postingsOf("t2", [
      ["c", -1n],
      ["yen", 1n],
    ]),
    error: /yen is no account in USD/,
  },
  {
    title: "name an unknown account",
    postings: postingsOf("t2", [
      ["c", -1n],
      ["nobody", 1n],
    ]),
    error: /does not exist|is no account/,
  },
  {
    title: "name an unknown transaction",
    postings: postingsOf("nothing", [
      ["c", -1n],
      ["b", 1n],
    ]),
    error: /does not exist/,
  },
  {
    title: "are of two transactions",
    postings: [...postingsOf("t1", [["c", -1n]]), ...postingsOf("t2", [["b", 1n]])],
    error: /more than one transaction/,
  },
  {
    title: "are another institution's",
    postings: postingsOf(
      "t2",
      [
        ["c", -1n],
        [account.id, 1n],
      ],
      { institutionId: otherBank.id },
    ),
    error: /does not exist/,
  },
  {
    title: "take the identifier of others",
    postings: postingsOf("t1", [
      ["c", -1n],
      ["a", 1n],
    ]),
    error: DuplicateRecordError,
  },
];
