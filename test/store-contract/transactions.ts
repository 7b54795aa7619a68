import { beforeEach, describe, expect, test } from "vitest";
import type { Store, Writes } from "../../runtime/store/ports/index.ts";
import { account, accountWith, bank, customer, insertParties, mail, user } from "./samples.ts";
import { storeForEachTest, type OpenStore } from "./store-under-test.ts";
import { accounts, accountById, customers, customerById } from "../../ledger/tables/index.ts";
import { outboxMails, dueMails, users, userByName, apiKeys } from "../../runtime/store/tables/index.ts";
import { accountPage } from "../../ledger/books/listing/index.ts";

export function describeTransactions(open: OpenStore): void {
  describe("transactions", () => {
    const store = storeForEachTest(open);
    beforeEach(() => store().write(insertParties));

    test("give back what their work gives, and show it its own writes", async () => {
      const seen = await store().write(async (tx) => {
        await tx.insert(accounts, accountWith("new"));
        await tx.replace(accounts, accountWith("new", { name: "Renamed" }));
        return tx.one(accountById, bank.id, "new");
      });
      expect(seen?.name).toBe("Renamed");
    });

    test("leave nothing behind when they fail, and reject with what was thrown", async () => {
      const failure = new Error("no");
      const failing = store().write(async (tx) => {
        await tx.insert(accounts, accountWith("new"));
        await tx.replace(accounts, { ...account, name: "Changed" });
        await tx.insert(outboxMails, { ...mail, dueAt: 0 });
        throw failure;
      });
      await expect(failing).rejects.toBe(failure);
      expect(await accountNames(store())).toEqual([account.name]);
      expect(await store().read((view) => view.many(dueMails, 9, 9))).toEqual([]);
    });

    test("of one moment stand or fall by themselves", async () => {
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          store().write(async (tx) => {
            await tx.insert(
              accounts,
              accountWith(`new-${index}`, { name: `new-${index}`, createdAt: index }),
            );
            if (index % 3 === 0) throw new Error(`failing ${index}`);
            return index;
          }),
        ),
      );
      const failed = results.map(({ status }) => status === "rejected");
      expect(failed).toEqual(results.map((_, index) => index % 3 === 0));
      const committed = results.flatMap((_, index) => (index % 3 === 0 ? [] : [`new-${index}`]));
      expect(await accountNames(store())).toEqual([...committed, account.name]);
    });

    test("are invisible to readers until they are committed", async () => {
      const { promise: written, resolve: hasWritten } = Promise.withResolvers<void>();
      const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
      const committed = store().write(async (tx) => {
        await tx.insert(accounts, accountWith("new", { name: "New", createdAt: 1 }));
        hasWritten();
        await mayEnd;
      });
      await written;
      expect(await accountNames(store())).toEqual([account.name]);
      end();
      await committed;
      expect(await accountNames(store())).toEqual(["New", account.name]);
    });

    test("that were answered are seen by every later reader", async () => {
      for (let round = 1; round <= 20; round += 1) {
        await store().write((tx) => tx.replace(users, { ...user, otpFailures: round }));
        const found = await store().read((view) => view.one(userByName, user.userName));
        expect(found?.otpFailures).toBe(round);
      }
    });

    test("do not move the ground under a reader, however long it takes", async () => {
      await store().read(async (view) => {
        const before = await view.one(userByName, user.userName);
        for (let round = 1; round <= 5; round += 1) {
          await store().write(async (tx) => {
            await tx.replace(users, { ...user, otpFailures: 100 + round });
            await tx.insert(accounts, accountWith(`new-${round}`));
          });
          expect(await view.one(userByName, user.userName)).toStrictEqual(before);
          expect(await view.one(accountById, bank.id, `new-${round}`)).toBeUndefined();
          const listed = await view.page(accountPage({ institutionId: bank.id, offset: 0, limit: 9 }));
          expect([1, round + 1]).toContain(listed.length);
          const other = await store().read((later) => later.one(userByName, user.userName));
          expect(other?.otpFailures).toBe(100 + round);
        }
      });
    });

    test("show each of many overlapping readers one commit, none from before it began", async () => {
      const readers: Promise<readonly number[]>[] = [];
      for (let round = 0; round < 30; round += 1) {
        await store().write(async (tx) => {
          await tx.replace(users, { ...user, otpFailures: round });
          await tx.replace(customers, { ...customer, updatedAt: round });
        });
        readers.push(
          store().read(async (view) => {
            const first = await view.one(userByName, user.userName);
            for (let wait = 0; wait < round % 4; wait += 1) await elapsed();
            const second = await view.one(customerById, bank.id, customer.id);
            return [first?.otpFailures ?? -1, second?.updatedAt ?? -1];
          }),
        );
      }
      const seen = await Promise.all(readers);
      for (const [round, [first = -1, second]] of seen.entries()) {
        expect(second).toBe(first);
        expect(first).toBeGreaterThanOrEqual(round);
      }
    });

    test("reject what is asked of them after they have ended", async () => {
      let kept: Writes | undefined;
      await store().write(async (tx) => {
        kept = tx;
      });
      await expect(kept?.insert(accounts, accountWith("late"))).rejects.toThrow(/has ended/);
      await expect(kept?.one(accountById, bank.id, account.id)).rejects.toThrow(/has ended/);
      expect(await accountNames(store())).toEqual([account.name]);
    });

    test("refuse records that refer to what is not there, or to another institution's", async () => {
      const orphans: readonly ((tx: Writes) => Promise<void>)[] = [
        (tx) => tx.insert(customers, { ...customer, id: "x", institutionId: "nowhere" }),
        (tx) => tx.insert(accounts, accountWith("x", { customerId: "nobody" })),
        (tx) => tx.insert(accounts, accountWith("x", { parentId: "nothing" })),
        (tx) => tx.insert(accounts, accountWith("x", { institutionId: "026009593" })),
        (tx) => tx.replace(accounts, { ...account, custodialCustomerId: "nobody" }),
        (tx) => tx.insert(apiKeys, { id: "x", userName: "nobody", hash: "", createdAt: 0 }),
      ];
      // Such a refusal ends the transaction: PostgreSQL takes nothing more in it.
      for (const orphan of orphans) await expect(store().write(orphan)).rejects.toThrow(/does not exist/);
      expect(await accountNames(store())).toEqual([account.name]);
    });

    test("refuse values that would not come back as they went in", async () => {
      const unkeepable: readonly ((tx: Writes) => Promise<void>)[] = [
        (tx) => tx.insert(accounts, accountWith("x", { holdMinor: 2n ** 63n })),
        (tx) => tx.insert(accounts, accountWith("x", { name: "\ud800" })),
        (tx) => tx.insert(accounts, accountWith("x", { createdAt: 1.5 })),
        (tx) => tx.insert(accounts, accountWith("x", { createdAt: Number.NaN })),
        (tx) => tx.replace(accounts, { ...account, preAuthMinor: -(2n ** 63n) - 1n }),
      ];
      await store().write(async (tx) => {
        for (const write of unkeepable) await expect(write(tx)).rejects.toThrow(RangeError);
      });
      expect(await store().read((view) => view.one(accountById, bank.id, account.id))).toStrictEqual(account);
    });
  });
}

async function accountNames(store: Store): Promise<readonly string[]> {
  const listed = await store.read((view) =>
    view.page(accountPage({ institutionId: bank.id, offset: 0, limit: 99 })),
  );
  return listed.map(({ account }) => account.name);
}

/** A turn of the event loop: everything that is ready has run. */
function elapsed(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
