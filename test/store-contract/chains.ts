import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { DuplicateRecordError, type AuditDraft, type AuditQuery } from "../../runtime/store/ports/index.ts";
import {
  account,
  accountWith,
  awkwardText,
  bank,
  insertParties,
  otherBank,
  postingsOf,
  transactionWith,
} from "./samples.ts";
import { storeForEachTest, type OpenStore } from "./store-under-test.ts";
import { positionBelow, readAudit, appendAudit, readAuditAfter } from "../../runtime/store/audit/index.ts";
import { accounts, transactions, postingsOfTransaction } from "../../ledger/tables/index.ts";
import { appendPostings } from "../../ledger/books/postings.ts";
import { latestRoot, chainRoots } from "../../runtime/store/tables/index.ts";

/** Every field present. */
const opened: AuditDraft = {
  institutionId: bank.id,
  subjectType: "account",
  subjectId: account.id,
  isFirst: true,
  operation: "CustomerService.AddAccount",
  changedAt: 1_700_000_000_123,
  userName: awkwardText,
  keyId: "key-1",
  changes: [
    { field: "status", to: "ACTIVE" },
    { field: "category", from: awkwardText, to: "" },
    { field: "x" },
  ],
  contentHash: "ab".repeat(32),
};
const closed: AuditDraft = {
  institutionId: bank.id,
  subjectType: "account",
  subjectId: account.id,
  operation: "AccountService.UpdateAccountStatus",
  changedAt: 1_700_000_000_124,
  changes: [{ field: "status", from: "ACTIVE", to: "CLOSED" }],
};

/** As docs/verify.md says it, without the code under test. */
function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

export function describeChains(open: OpenStore): void {
  describe("chains", () => {
    const store = storeForEachTest(open);
    beforeEach(() => store().write(insertParties));
    const list = (query: Partial<AuditQuery> = {}) =>
      store().read((view) => readAudit(view, { institutionId: bank.id, limit: 100, ...query }));

    test("audit entries are numbered and linked to the entry before of their subject", async () => {
      await store().write((tx) => appendAudit(tx, opened));
      await store().write(async (tx) => {
        await appendAudit(tx, { ...closed, subjectType: "key", subjectId: "key-1" });
        await appendAudit(tx, closed);
      });
      const text = JSON.stringify(awkwardText);
      const first = sha256(
        `["ledger-chain/1","audit_entries","${bank.id}","account","account-1",1,"",` +
          `"CustomerService.AddAccount",1700000000123,${text},"key-1",` +
          `[["status",null,"ACTIVE"],["category",${text},""],["x",null,null]],"${"ab".repeat(32)}"]`,
      );
      const second = sha256(
        `["ledger-chain/1","audit_entries","${bank.id}","account","account-1",2,"${first}",` +
          `"AccountService.UpdateAccountStatus",1700000000124,null,null,[["status","ACTIVE","CLOSED"]],null]`,
      );
      const { isFirst, ...kept } = opened;
      expect(isFirst).toBe(true);
      expect(await list({ subject: { type: "account", id: account.id } })).toStrictEqual([
        { ...closed, sequence: 3, number: 3, position: 2, hash: second },
        { ...kept, sequence: 1, number: 1, position: 1, hash: first },
      ]);
    });

    test("audit entries are given in pages, of an institution or of a subject, the newest first", async () => {
      await store().write(async (tx) => {
        for (const [index, institutionId] of [bank.id, otherBank.id, bank.id, bank.id].entries()) {
          await appendAudit(tx, { ...closed, institutionId, subjectId: `a${index % 3}` });
        }
      });
      const numbers = async (query: Partial<AuditQuery>) => (await list(query)).map(({ number }) => number);
      expect(await numbers({})).toEqual([3, 2, 1]);
      expect(await numbers({ limit: 2 })).toEqual([3, 2]);
      expect(await numbers({ before: 3 })).toEqual([2, 1]);
      expect(await numbers({ after: 1 })).toEqual([2, 3]);
      expect(await numbers({ institutionId: otherBank.id })).toEqual([1]);
      const subject = { type: "account", id: "a0" } as const;
      expect(await numbers({ subject })).toEqual([3, 1]);
      expect(await numbers({ subject, before: 2 })).toEqual([1]);
      expect(await numbers({ subject, after: 1 })).toEqual([3]);
      expect(await numbers({ subject: { ...subject, type: "key" } })).toEqual([]);
      const below = (number: number) =>
        store().read((view) => positionBelow(view, { institutionId: bank.id, ...subject }, number));
      expect(await Promise.all([0, 1, 2, 3, 4].map(below))).toEqual([0, 0, 1, 1, 2]);
      const after = await store().read((view) => readAuditAfter(view, 1, 2));
      expect(after.map(({ sequence }) => sequence)).toEqual([2, 3]);
    });

    test("an audit entry of a transaction that fails leaves no gap", async () => {
      const failing = store().write(async (tx) => {
        await appendAudit(tx, opened);
        throw new Error("undone");
      });
      await expect(failing).rejects.toThrow("undone");
      await store().write((tx) => appendAudit(tx, opened));
      expect((await list()).map(({ sequence, position }) => [sequence, position])).toEqual([[1, 1]]);
    });

    test("a subject that is wrongly called new is refused", async () => {
      await store().write((tx) => appendAudit(tx, opened));
      await expect(store().write((tx) => appendAudit(tx, opened))).rejects.toThrow(DuplicateRecordError);
    });

    test("postings are linked to the posting before of their account", async () => {
      await store().write(async (tx) => {
        for (const id of ["a", "b"]) await tx.insert(accounts, accountWith(id));
        for (const id of ["t1", "t2"]) {
          await tx.insert(transactions, transactionWith(id));
          const legs = [["a", -(2n ** 62n) + 5n] as const, ["b", 2n ** 62n - 5n] as const];
          await appendPostings(tx, postingsOf(id, id === "t1" ? legs : legs.map(([name, n]) => [name, -n])));
        }
      });
      const link = (position: number, before: string, id: string, amount: string): string =>
        sha256(
          `["ledger-chain/1","postings","${bank.id}","a",${position},"${before}",` +
            `"${id}/0","${id}","USD","${amount}",1]`,
        );
      const first = link(1, "", "t1", "-4611686018427387899");
      const second = link(2, first, "t2", "4611686018427387899");
      const kept = await store().read(async (view) => [
        ...(await view.many(postingsOfTransaction, bank.id, "t1")),
        ...(await view.many(postingsOfTransaction, bank.id, "t2")),
      ]);
      const ofAccount = kept.filter(({ accountId }) => accountId === "a");
      expect(ofAccount.map(({ position, hash }) => [position, hash])).toEqual([
        [1, first],
        [2, second],
      ]);
    });

    test("the latest root is the one over the most entries", async () => {
      expect(await store().read((view) => view.one(latestRoot, 1))).toBeUndefined();
      const roots = [2, 10, 9].map((sequence) => ({
        sequence,
        hash: `h${sequence}`,
        createdAt: 20 - sequence,
      }));
      await store().write(async (tx) => {
        for (const root of roots) await tx.insert(chainRoots, root);
      });
      expect(await store().read((view) => view.one(latestRoot, 1))).toStrictEqual(roots[1]);
    });
  });
}
