import { removeLoginMails } from "../../ledger/handlers/services/users.ts";
import { beforeEach, describe, expect, test } from "vitest";
import type { MailQuery } from "../../runtime/store/ports/index.ts";
import {
  mail,
  awkwardText,
  accountWith,
  bank,
  beneficiary,
  customer,
  insertParties,
  legalRep,
  otherBank,
  transactionWith,
  user,
} from "./samples.ts";
import { storeForEachTest, type OpenStore } from "./store-under-test.ts";
import {
  accounts,
  customers as customersTable,
  legalReps,
  beneficiaries,
  beneficiariesOfAccount,
  transactions,
  legalRepsOf,
  accountsByNumbers,
  customersAfter,
  portalLoginByLegalRep,
  portalLogins,
} from "../../ledger/tables/index.ts";
import { accountPage, transactionPage } from "../../ledger/books/listing/index.ts";
import {
  users as usersTable,
  apiKeys,
  apiKeysOfUser,
  usersAfter,
  deviceKeys,
  signingKeysOfUser,
  keyUses,
  keyUsesOfUser,
  outboxEvents,
  oldestEvents,
  outboxMails,
  dueMails,
  mailsDueAfter,
  expiredMails,
  mailsInState,
  mailById,
  mailsOfNobody,
  mailOfInstitution,
  mailAttempts,
  formerAttemptsOfMail,
  mailListing,
  attemptsOfMail,
  answers,
  answerByHash,
  answersBefore,
  noncesOf,
} from "../../runtime/store/tables/index.ts";
import { removeMail, changeClaimedMail, releaseMailClaims } from "../../runtime/events/mail/stored-mails.ts";
import { takeNonce, removeExpiredNonces } from "../../runtime/pipeline/stored-nonces.ts";

export function describeListings(open: OpenStore): void {
  describe("listings", () => {
    const store = storeForEachTest(open);
    beforeEach(() => store().write(insertParties));

    test("pages of accounts come by creation, then id, with the names of customer and institution", async () => {
      await store().write(async (tx) => {
        for (const [id, createdAt] of [
          ["d", 2],
          ["b", 3],
          ["c", 2],
          ["a", 4],
          ["\u{1f600}", 2],
          ["\uffee", 2],
        ] as const) {
          await tx.insert(accounts, accountWith(id, { createdAt }));
        }
      });
      const page = (offset: number, limit: number) =>
        store().read(async (view) => {
          const listed = await view.page(accountPage({ institutionId: bank.id, offset, limit }));
          return listed.map(({ account }) => account.id);
        });
      expect(await page(0, 100)).toEqual(["c", "d", "\uffee", "\u{1f600}", "b", "a", "account-1"]);
      expect(await page(1, 3)).toEqual(["d", "\uffee", "\u{1f600}"]);
      expect(await page(6, 3)).toEqual(["account-1"]);
      expect(await page(7, 3)).toEqual([]);
      const [first] = await store().read((view) =>
        view.page(accountPage({ institutionId: bank.id, offset: 0, limit: 1 })),
      );
      const { id, institutionId, customerId, name, number, type, status, ...rest } = accountWith("c", {
        createdAt: 2,
      });
      const { category, currency, ledgerMinor, holdMinor, preAuthMinor, glAccount, verified } = rest;
      const { createdAt, updatedAt } = rest;
      const parties = { id, institutionId, customerId, name, number, type, status, category, currency };
      const amounts = { ledgerMinor, holdMinor, preAuthMinor };
      expect(first).toStrictEqual({
        account: { ...parties, ...amounts, glAccount, verified, createdAt, updatedAt },
        customerName: awkwardText,
        institutionName: bank.name,
      });
    });

    test("accounts are listed for some customers only, and never another institution's", async () => {
      const second = { ...customer, id: "customer-2" };
      const foreign = { ...customer, institutionId: otherBank.id };
      await store().write(async (tx) => {
        await tx.insert(customersTable, second);
        await tx.insert(customersTable, foreign);
        await tx.insert(accounts, accountWith("second", { customerId: second.id }));
        await tx.insert(accounts, accountWith("foreign", { institutionId: otherBank.id }));
      });
      const idsOf = (institutionId: string, customerIds?: readonly string[]) =>
        store().read(async (view) => {
          const query = { institutionId, offset: 0, limit: 9, ...(customerIds && { customerIds }) };
          return (await view.page(accountPage(query))).map(({ account }) => account.id);
        });
      expect(await idsOf(bank.id)).toEqual(["account-1", "second"]);
      expect(await idsOf(bank.id, ["customer-2", "nobody"])).toEqual(["second"]);
      expect(await idsOf(bank.id, [])).toEqual([]);
      expect(await idsOf(otherBank.id)).toEqual(["foreign"]);
      expect(await idsOf("nowhere")).toEqual([]);
    });

    test("beneficiaries of one account and representative come by creation, then id", async () => {
      await store().write(async (tx) => {
        await tx.insert(legalReps, { ...legalRep, id: "rep-2" });
        await tx.insert(accounts, accountWith("account-2"));
        for (const [id, createdAt] of [
          ["b", 2],
          ["a", 2],
          ["z", 1],
        ] as const) {
          await tx.insert(beneficiaries, { ...beneficiary, id, createdAt });
        }
        await tx.insert(beneficiaries, { ...beneficiary, id: "other rep", legalRepId: "rep-2" });
        await tx.insert(beneficiaries, { ...beneficiary, id: "other account", accountId: "account-2" });
      });
      const listed = await store().read((view) =>
        view.many(beneficiariesOfAccount, bank.id, "account-1", "rep-1", 4),
      );
      expect(listed.map(({ id }) => id)).toEqual(["z", "a", "b"]);
      const first = await store().read((view) =>
        view.many(beneficiariesOfAccount, bank.id, "account-1", "rep-1", 2),
      );
      expect(first.map(({ id }) => id)).toEqual(["z", "a"]);
      const count = (institutionId: string) =>
        store().read((view) => view.count(beneficiariesOfAccount, institutionId, "account-1", "rep-1"));
      expect([await count(bank.id), await count(otherBank.id)]).toEqual([3, 0]);
      expect(
        await store().read((view) =>
          view.many(beneficiariesOfAccount, otherBank.id, "account-1", "rep-1", 4),
        ),
      ).toEqual([]);
    });

    test("transactions of an account come by creation, then id, whichever side it is, page by page", async () => {
      const second = { ...customer, id: "customer-2" };
      const [from, to, pool] = ["from", "to", "pool"];
      await store().write(async (tx) => {
        await tx.insert(customersTable, second);
        for (const id of [from, to, pool]) await tx.insert(accounts, accountWith(id));
        for (const [id, createdAt, debtorAccountId, creditorAccountId, customerId] of [
          ["c", 2, from, to, customer.id],
          ["a", 2, to, from, second.id],
          ["\u{1f600}", 2, from, to, customer.id],
          ["\uffee", 2, to, from, customer.id],
          ["z", 1, from, pool, second.id],
          ["other", 1, to, pool, customer.id],
        ] as const) {
          const fields = { createdAt, debtorAccountId, creditorAccountId, customerId };
          await tx.insert(transactions, transactionWith(id, fields));
        }
      });
      const page = (offset: number, limit: number, customerIds?: readonly string[]) =>
        store().read(async (view) => {
          const query = { institutionId: bank.id, accountId: from, offset, limit };
          const listed = await view.page(transactionPage({ ...query, ...(customerIds && { customerIds }) }));
          return listed.map(({ id }) => id);
        });
      expect(await page(0, 100)).toEqual(["z", "a", "c", "\uffee", "\u{1f600}"]);
      expect(await page(1, 2)).toEqual(["a", "c"]);
      expect(await page(3, 2)).toEqual(["\uffee", "\u{1f600}"]);
      expect(await page(5, 2)).toEqual([]);
      expect(await page(Number.MAX_SAFE_INTEGER, 100)).toEqual([]);
      expect(await page(0, 9, [second.id, "nobody"])).toEqual(["z", "a"]);
      expect(await page(0, 9, [customer.id, second.id])).toEqual(await page(0, 9));
      expect(await page(0, 9, [])).toEqual([]);
      const elsewhere = { institutionId: otherBank.id, accountId: from, offset: 0, limit: 9 };
      expect(await store().read((view) => view.page(transactionPage(elsewhere)))).toEqual([]);
    });

    test("many legal representatives come in the order asked for, without unknown ones", async () => {
      const others = ["b", "a"].map((id) => ({ ...legalRep, id }));
      await store().write(async (tx) => {
        for (const other of others) await tx.insert(legalReps, other);
      });
      const found = await store().read((view) =>
        legalRepsOf(view, bank.id, ["b", "unknown", "rep-1", "a", "b"]),
      );
      expect(found.map(({ id }) => id)).toEqual(["b", "rep-1", "a", "b"]);
      expect(await store().read((view) => legalRepsOf(view, otherBank.id, ["b"]))).toEqual([]);
    });

    test("the keys of a user come by creation, revoked and expired ones too", async () => {
      await store().write(async (tx) => {
        await tx.insert(usersTable, { ...user, userName: "other" });
        const key = { userName: user.userName, hash: "00" };
        await tx.insert(apiKeys, { ...key, id: "b", createdAt: 2, revokedAt: 2 });
        await tx.insert(apiKeys, { ...key, id: "a", createdAt: 2, expiresAt: 2 });
        await tx.insert(apiKeys, { ...key, id: "z", createdAt: 1 });
        await tx.insert(apiKeys, { ...key, id: "other", createdAt: 1, userName: "other" });
      });
      const keys = await store().read((view) => apiKeysOfUser(view, user.userName));
      expect(keys.map(({ id }) => id)).toEqual(["z", "a", "b"]);
    });

    test("accounts are found by several numbers at once, of one institution", async () => {
      const numbers = ["2", "1"].map((id) => accountWith(id).number);
      await store().write(async (tx) => {
        for (const id of ["1", "2", "3"]) await tx.insert(accounts, accountWith(id));
      });
      const found = await store().read((view) => view.many(accountsByNumbers, bank.id, [...numbers, "none"]));
      expect(found.map(({ number }) => number).toSorted()).toEqual(numbers.toSorted());
      expect(await store().read((view) => view.many(accountsByNumbers, otherBank.id, numbers))).toEqual([]);
    });

    test("customers and users come page by page, of one institution and one interface", async () => {
      await store().write(async (tx) => {
        for (const id of ["c", "a", "b"]) await tx.insert(customersTable, { ...customer, id });
        await tx.insert(customersTable, { ...customer, id: "ab", institutionId: otherBank.id });
        for (const userName of ["nora", "Mia", "ole"]) await tx.insert(usersTable, { ...user, userName });
        await tx.insert(usersTable, { ...user, userName: "nils", institutionId: otherBank.id });
        await tx.insert(usersTable, { ...user, userName: "operator", realm: "operator" });
        await tx.insert(usersTable, { ...user, userName: "partner", realm: "of any name" });
      });
      await store().read(async (view) => {
        const customers = async (limit: number, after?: string) =>
          (await view.many(customersAfter, bank.id, after ?? "", limit)).map(({ id }) => id);
        const users = async (limit: number, after?: string) =>
          (await view.many(usersAfter, bank.id, "ledger", after ?? "", limit)).map(
            ({ userName }) => userName,
          );
        expect(await customers(2)).toEqual(["a", "b"]);
        expect(await customers(9, "b")).toEqual(["c", customer.id]);
        expect(await customers(9, customer.id)).toEqual([]);
        expect(await users(2)).toEqual(["Mia", "nora"]);
        expect(await users(9, "nora")).toEqual(["ole", user.userName]);
        expect(await view.many(usersAfter, bank.id, "of any name", "", 9)).toMatchObject([
          { userName: "partner" },
        ]);
      });
    });

    test("the signing keys of a user come by creation, revoked ones too", async () => {
      await store().write(async (tx) => {
        await tx.insert(usersTable, { ...user, userName: "other" });
        const key = { userName: user.userName, status: "ACTIVE" as const, createdAt: 2 };
        await tx.insert(deviceKeys, { ...key, keyId: "b", status: "REVOKED", revokedAt: 3 });
        await tx.insert(deviceKeys, { ...key, keyId: "a" });
        await tx.insert(deviceKeys, { ...key, keyId: "z", createdAt: 1 });
        await tx.insert(deviceKeys, { ...key, keyId: "other", userName: "other" });
      });
      const keys = await store().read((view) => signingKeysOfUser(view, user.userName));
      expect(keys.map(({ keyId }) => keyId)).toEqual(["z", "a", "b"]);
    });

    test("a use of a key replaces the former one of the same key and user", async () => {
      const use = { userName: user.userName, keyId: "k1", usedAt: 5 };
      const others = [
        { ...use, keyId: "k2" },
        { ...use, userName: "other" },
      ];
      await store().write(async (tx) => {
        await tx.insert(usersTable, { ...user, userName: "other" });
        await tx.put(keyUses, use, ...others);
      });
      await store().write((tx) => tx.put(keyUses, { ...use, usedAt: 9 }));
      const found = await store().read((view) => view.many(keyUsesOfUser, user.userName));
      expect(found.toSorted((left, right) => left.usedAt - right.usedAt)).toEqual([
        others[0],
        { ...use, usedAt: 9 },
      ]);
    });

    test("events come in the order in which they were written, whatever the clock said", async () => {
      const event = {
        institutionId: bank.id,
        name: "Account.NEW",
        source: "LEDGER",
        topics: ["1", "2"],
        group: customer.id,
        payloadJson: `{"a":1.50}`,
      };
      const events = [3, 1, 2].map((createdAt) => ({ ...event, id: `event-${createdAt}`, createdAt }));
      for (const record of events) await store().write((tx) => tx.insert(outboxEvents, record));
      expect(await store().read((view) => view.many(oldestEvents, 9))).toStrictEqual(events);
      expect(await store().read((view) => view.many(oldestEvents, 2))).toStrictEqual(events.slice(0, 2));
    });

    test("mails are due from their time on, the longest due first, until they are sent or FAILED", async () => {
      await store().write(async (tx) => {
        await tx.insert(outboxMails, { ...mail, id: "later", dueAt: 11 });
        await tx.insert(outboxMails, { ...mail, id: "first", dueAt: 9, createdAt: 6 });
        await tx.insert(outboxMails, { ...mail, id: "second" });
        await tx.insert(outboxMails, { ...mail, id: "expiring", dueAt: 30, expiresAt: 20 });
      });
      const due = async (now: number, limit: number) =>
        (await store().read((view) => view.many(dueMails, now, limit))).map(({ id }) => id);
      expect(await due(8, 9)).toEqual([]);
      expect(await due(11, 9)).toEqual(["first", "second", "later"]);
      expect(await due(11, 2)).toEqual(["first", "second"]);
      const seen = await store().read(async (view) => ({
        after: (await view.many(mailsDueAfter, 10, 9)).map(({ id }) => id),
        expired: [await view.many(expiredMails, 19, 9), await view.many(expiredMails, 20, 9)].map(
          ({ length }) => length,
        ),
        oldest: (await view.one(mailsInState, bank.id, "PENDING", 1))?.createdAt,
      }));
      expect(seen).toEqual({ after: ["expiring", "later"], expired: [0, 1], oldest: 5 });
      await store().write(async (tx) => {
        await removeMail(tx, "first");
        await removeMail(tx, "never there");
        await tx.update(mailById, { state: "FAILED", dueAt: undefined, failedAt: 9 }, "second");
      });
      expect(await due(29, 9)).toEqual(["later"]);
      const counts = await store().read(async (view) => [
        await view.count(mailsInState, bank.id, "PENDING"),
        await view.count(mailsInState, bank.id, "FAILED"),
      ]);
      expect(counts).toEqual([2, 1]);
    });

    test("mails that name no institution are found, the oldest first", async () => {
      const { institutionId: _none, ...ofNobody } = mail;
      await store().write(async (tx) => {
        await tx.insert(outboxMails, { ...mail, id: "of the bank" });
        await tx.insert(outboxMails, { ...ofNobody, id: "later", createdAt: 7 });
        await tx.insert(outboxMails, { ...ofNobody, id: "first", createdAt: 6 });
      });
      const found = async (limit: number) =>
        (await store().read((view) => view.many(mailsOfNobody, limit))).map(({ id }) => id);
      expect(await found(9)).toEqual(["first", "later"]);
      expect(await found(1)).toEqual(["first"]);
    });

    test("a mail's result is stored while its claim holds; claims of a former process are released", async () => {
      await store().write(async (tx) => {
        await tx.insert(outboxMails, { ...mail, claimedBy: "one", dueAt: 90 });
        await tx.insert(outboxMails, { ...mail, id: "free" });
      });
      const record = (claimedBy: string, attempts: number) =>
        store().write((tx) =>
          changeClaimedMail(tx, {
            id: "m",
            claimedBy,
            attempts,
            changes: { attempts: attempts + 1, claimedBy: undefined, dueAt: 20 },
          }),
        );
      expect(await record("other", 0)).toBe(false);
      expect(await record("one", 1)).toBe(false);
      expect(await record("one", 0)).toBe(true);
      await store().write((tx) => tx.update(mailById, { claimedBy: "one", dueAt: 90 }, "m"));
      expect(await store().write((tx) => releaseMailClaims(tx, 30))).toBe(1);
      const { claimedBy, ...released } = mail;
      expect(claimedBy).toBeUndefined();
      expect(await store().read((view) => view.one(mailOfInstitution, bank.id, "m"))).toEqual({
        ...released,
        attempts: 1,
        dueAt: 30,
      });
    });

    test("mails are listed by institution and state, the newest first, with their attempts", async () => {
      const attempt = { startedAt: 1, durationMs: 2, failure: "refused", detail: "550 No" };
      await store().write(async (tx) => {
        for (const id of ["a", "b", "c"]) await tx.insert(outboxMails, { ...mail, id });
        await tx.insert(outboxMails, { ...mail, id: "new", createdAt: 7, state: "FAILED", failedAt: 8 });
        await tx.insert(outboxMails, { ...mail, id: "other", institutionId: otherBank.id });
        const { institutionId: _institution, ...unknown } = mail;
        await tx.insert(outboxMails, { ...unknown, id: "unknown", kind: "unknown" });
        for (const number of [1, 2, 3]) await tx.insert(mailAttempts, { ...attempt, mailId: "a", number });
        await tx.remove(formerAttemptsOfMail, "a", 1);
      });
      const listed = (query: Omit<MailQuery, "institutionId">) =>
        store().read(async (view) =>
          (await view.page(mailListing({ institutionId: bank.id, ...query }))).map(({ id }) => id),
        );
      expect(await listed({ limit: 3 })).toEqual(["new", "c", "b"]);
      expect(await listed({ limit: 3, after: { createdAt: 5, id: "b" } })).toEqual(["a"]);
      expect(await listed({ limit: 9, state: "FAILED" })).toEqual(["new"]);
      expect(await listed({ limit: 1, state: "PENDING", after: { createdAt: 5, id: "c" } })).toEqual(["b"]);
      const numbers = async () =>
        (await store().read((view) => view.many(attemptsOfMail, "a"))).map(({ number }) => number);
      expect(await numbers()).toEqual([2, 3]);
      await store().write((tx) => removeLoginMails(tx, bank.id, "rep"));
      expect(await listed({ limit: 9 })).toEqual([]);
      expect(await numbers()).toEqual([]);
      expect(await store().read((view) => view.one(mailOfInstitution, otherBank.id, "other"))).toBeDefined();
    });

    test("old answers are removed, a few at a time, those of the time itself stay", async () => {
      const removed = await store().write(async (tx) => {
        for (const createdAt of [3, 1, 5, 2, 4]) {
          await tx.insert(answers, { requestHash: `${createdAt}`, resultJson: "{}", createdAt });
        }
        await tx.remove(answerByHash, "5");
        await tx.remove(answerByHash, "never there");
        return [
          await (await tx.take(answersBefore, 4, 2)).length,
          await (await tx.take(answersBefore, 4, 2)).length,
        ];
      });
      expect(removed).toEqual([2, 1]);
      const left = await store().read((view) =>
        Promise.all(["1", "2", "3", "4", "5"].map((hash) => view.one(answerByHash, hash))),
      );
      expect(left.map((answer) => answer?.createdAt)).toEqual([
        undefined,
        undefined,
        undefined,
        4,
        undefined,
      ]);
    });

    test("a nonce is taken once, also after it was removed", async () => {
      const nonce = { owner: "key a", nonce: "n", expiresAt: 20 };
      const take = (change: Partial<typeof nonce>) =>
        store().write((tx) => takeNonce(tx, { ...nonce, ...change }));
      const remove = (time: number, limit: number) =>
        store().write((tx) => removeExpiredNonces(tx, time, limit));
      const count = (time: number) => store().read((view) => view.count(noncesOf, "key a", time));
      expect(await take({})).toBe(true);
      expect(await take({ expiresAt: 90 })).toBe(false);
      expect(await take({ owner: "key b", expiresAt: 10 })).toBe(true);
      expect(await take({ nonce: "later", expiresAt: 30 })).toBe(true);
      expect([await count(19), await count(20), await count(30)]).toEqual([2, 1, 0]);
      expect([await remove(9, 9), await remove(25, 1), await count(0)]).toEqual([0, 1, 2]);
      expect([await remove(25, 9), await remove(25, 9), await count(0)]).toEqual([1, 0, 1]);
      expect(await take({})).toBe(false);
      expect(await take({ nonce: "never there", expiresAt: 20 })).toBe(false);
      expect(await take({ nonce: "never there", expiresAt: 21 })).toBe(true);
      await expect(take({ owner: "" })).rejects.toThrow("a nonce has an owner");
    });

    test("removed nonces are told apart by ten minutes of expiry, and no longer after half a day", async () => {
      const hour = 3_600_000;
      const take = (nonce: string, expiresAt: number) =>
        store().write((tx) => takeNonce(tx, { owner: "key a", nonce, expiresAt }));
      const remove = (time: number) => store().write((tx) => removeExpiredNonces(tx, time, 9));
      for (const hours of [1.6, 3, 5.5, 40]) expect(await take(`${hours}`, hours * hour)).toBe(true);
      expect(await remove(6 * hour)).toBe(3);
      for (const hours of [1.6, 1.55, 3]) expect(await take(`${hours}`, hours * hour)).toBe(false);
      expect(await take("1.4", 1.4 * hour)).toBe(true);
      expect(await remove(41 * hour)).toBe(2);
      for (const hours of [1, 4, 5, 5.5, 40]) expect(await take(`${hours}`, hours * hour)).toBe(false);
      expect(await take("30", 30 * hour)).toBe(true);
    });

    test("a portal login takes the place of the former one", async () => {
      const login = {
        legalRepId: legalRep.id,
        institutionId: bank.id,
        userName: "ada",
        passwordHash: "scrypt$1",
        totpSecretSealed: "s1",
        createdAt: 1,
      };
      const next = {
        ...login,
        userName: "ada2",
        passwordHash: "scrypt$2",
        totpSecretSealed: "s2",
        createdAt: 2,
      };
      expect(
        await store().read((view) => view.one(portalLoginByLegalRep, bank.id, legalRep.id)),
      ).toBeUndefined();
      await store().write((tx) => tx.put(portalLogins, login));
      expect(
        await store().read((view) => view.one(portalLoginByLegalRep, bank.id, legalRep.id)),
      ).toStrictEqual(login);
      await store().write((tx) => tx.put(portalLogins, next));
      expect(
        await store().read((view) => view.one(portalLoginByLegalRep, bank.id, legalRep.id)),
      ).toStrictEqual(next);
      expect(
        await store().read((view) => view.one(portalLoginByLegalRep, otherBank.id, legalRep.id)),
      ).toBeUndefined();
    });
  });
}
