import { describe, expect, test } from "vitest";
import {
  account,
  accountWith,
  bank,
  insertParties,
  ledgerFindings,
  postingsOf,
  transactionWith,
} from "./samples.ts";
import type { OpenStore } from "./store-under-test.ts";
import { accounts, transactions, accountById } from "../../ledger/tables/index.ts";
import { appendPostings } from "../../ledger/books/postings.ts";

export function describeDurability(open: OpenStore): void {
  describe("a store", () => {
    test("that is closed finishes what was begun and takes nothing more", async () => {
      const { store, dispose } = await open();
      const begun = [store.write(insertParties), store.write(async () => 2)];
      await store.close();
      expect((await Promise.all(begun))[1]).toBe(2);
      await expect(store.write(async () => 1)).rejects.toThrow(/closed/);
      await expect(store.read(async () => 1)).rejects.toThrow(/closed/);
      await expect(store.ping()).rejects.toThrow(/closed/);
      await dispose();
    });

    test("answers a ping", async () => {
      const { store, dispose } = await open();
      await expect(store.ping()).resolves.toBeUndefined();
      await dispose();
    });

    test("keeps everything over a restart, where it keeps anything", async () => {
      const { store, reopen, dispose } = await open();
      await store.write(async (tx) => {
        await insertParties(tx);
        await tx.insert(accounts, accountWith("b"));
        await tx.insert(transactions, transactionWith("t"));
        await appendPostings(
          tx,
          postingsOf("t", [
            [account.id, -7n],
            ["b", 7n],
          ]),
        );
      });
      const reopened = (await reopen?.()) ?? store;
      const found = await reopened.read((view) => view.one(accountById, bank.id, "b"));
      expect(found).toStrictEqual(accountWith("b", { ledgerMinor: 7n }));
      const verification = await reopened.verify();
      expect(verification).toMatchObject({ records: { accounts: 2, postings: 2 } });
      expect(ledgerFindings(verification)).toEqual([]);
      await dispose();
    });
  });
}
