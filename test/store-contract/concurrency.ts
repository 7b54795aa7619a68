import { beforeEach, describe, expect, test } from "vitest";
import { DuplicateRecordError, type Writes } from "../../runtime/store/ports/index.ts";
import {
  account,
  accountWith,
  bank,
  insertParties,
  ledgerFindings,
  postingsOf,
  transactionWith,
  user,
} from "./samples.ts";
import { storeForEachTest, type OpenStore } from "./store-under-test.ts";
import { userByName, users, answerByHash, answers } from "../../runtime/store/tables/index.ts";
import { accounts, accountById, hasPendingCredit, transactions } from "../../ledger/tables/index.ts";
import { takeNonce } from "../../runtime/pipeline/stored-nonces.ts";
import { appendPostings } from "../../ledger/books/postings.ts";

/**
 * What handlers may rely on while other transactions run, in this process or others: the outcome equals that of some
 * sequential order.
 */
export function describeConcurrency(open: OpenStore): void {
  describe("transactions at the same time", () => {
    const store = storeForEachTest(open);
    beforeEach(() => store().write(insertParties));

    test("lose no update of a record that each of them read before", async () => {
      const add = async (tx: Writes): Promise<void> => {
        const found = await tx.one(userByName, user.userName);
        await tx.replace(users, { ...user, otpFailures: (found?.otpFailures ?? 0) + 1 });
      };
      await Promise.all(Array.from({ length: 12 }, () => store().write(add)));
      const after = await store().read((view) => view.one(userByName, user.userName));
      expect(after?.otpFailures).toBe(user.otpFailures + 12);
    });

    test("do not both act on what the other one changes", async () => {
      await store().write(async (tx) => {
        for (const id of ["a", "b"]) await tx.insert(accounts, accountWith(id, { holdMinor: 1n }));
      });
      // Each may go to zero only while the other one has something left.
      const release = (id: string, other: string) =>
        store().write(async (tx) => {
          if ((await tx.one(accountById, bank.id, other))?.holdMinor === 0n) return false;
          await tx.replace(accounts, accountWith(id));
          return true;
        });
      const released = await Promise.all([release("a", "b"), release("b", "a")]);
      expect(released.filter(Boolean)).toHaveLength(1);
    });

    test("do not both act on a list that lacks what the other one adds", async () => {
      const pend = (id: string) =>
        store().write(async (tx) => {
          if (await hasPendingCredit(tx, bank.id, account.id)) return false;
          await tx.insert(transactions, transactionWith(id));
          return true;
        });
      const added = await Promise.all(["t1", "t2", "t3"].map(pend));
      expect(added.filter(Boolean)).toHaveLength(1);
    });

    test("take an identifier once, and those who come later find it", async () => {
      const take = (value: string) =>
        store().write(async (tx) => {
          const found = await tx.one(answerByHash, "request");
          if (found !== undefined) return found.resultJson;
          await tx.insert(answers, { requestHash: "request", resultJson: value, createdAt: 1 });
          return value;
        });
      const results = await Promise.all(["1", "2", "3", "4"].map(take));
      expect(new Set(results).size).toBe(1);
      const taken = store().write((tx) =>
        tx.insert(answers, { requestHash: "request", resultJson: "5", createdAt: 1 }),
      );
      await expect(taken).rejects.toThrow(DuplicateRecordError);
    });

    test("take a nonce once", async () => {
      const record = { owner: "key", nonce: "n", expiresAt: 9 };
      const takes = Array.from({ length: 4 }, () => store().write((tx) => takeNonce(tx, record)));
      expect((await Promise.all(takes)).filter(Boolean)).toHaveLength(1);
    });

    test("post to the same accounts, and every ledger and chain is right", async () => {
      const ids = ["a", "b", "c"];
      await store().write(async (tx) => {
        for (const id of ids) await tx.insert(accounts, accountWith(id));
      });
      await Promise.all(
        Array.from({ length: 18 }, (_, index) =>
          store().write(async (tx) => {
            const [from = "", to = ""] = [ids[index % 3], ids[(index + 1 + (index % 2)) % 3]];
            await tx.insert(transactions, transactionWith(`t${index}`));
            await appendPostings(
              tx,
              postingsOf(`t${index}`, [
                [from, -1n],
                [to, 1n],
              ]),
            );
          }),
        ),
      );
      const verification = await store().verify();
      expect(verification).toMatchObject({
        records: { postings: 36 },
        sums: [{ currency: "USD", sumMinor: 0n }],
      });
      expect(ledgerFindings(verification)).toEqual([]);
    });
  });
}
