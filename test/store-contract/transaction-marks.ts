import { afterEach, beforeEach, expect, test } from "vitest";
import type { Store, Writes } from "../../runtime/store/ports/index.ts";
import { markedEvery } from "../../ledger/books/listing/transaction-listing.ts";
import { accountWith, bank, insertParties, transactionWith } from "./samples.ts";
import { accounts, transactions } from "../../ledger/tables/index.ts";
import { transactionPage } from "../../ledger/books/listing/index.ts";

/** Transactions of the account "busy", whose marks are looked at. */
export const busyCount = 3 * markedEvery + 500;
export const busy = { institutionId: bank.id, accountId: "busy" };

/** What `fillSql` builds on. */
export async function insertBusyAccount(tx: Writes): Promise<void> {
  await insertParties(tx);
  for (const id of ["busy", "other", "third"]) await tx.insert(accounts, accountWith(id));
  const sides = { debtorAccountId: "other", creditorAccountId: "third" };
  await tx.insert(transactions, transactionWith("first", sides));
}

const filled: Readonly<Record<string, string>> = {
  id: "'t' || n",
  reference_id: "'r' || n",
  debtor_account_id: "CASE WHEN n % 3 = 0 THEN 'busy' ELSE 'other' END",
  creditor_account_id: "CASE WHEN n % 3 = 0 THEN 'other' ELSE 'busy' END",
  created_at: "1000 + n / 2",
};
/** Gives the account its transactions: on either side, two created at a time. */
export const fillSql = `INSERT INTO transactions (${transactions.columns.map(({ name }) => name).join(", ")})
  WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${busyCount})
  SELECT ${transactions.columns.map(({ name }) => filled[name] ?? `a.${name}`).join(", ")}
  FROM n, (SELECT * FROM transactions WHERE id = 'first') a`;

export const marksSql = "SELECT counted FROM transaction_marks WHERE account_id = 'busy' ORDER BY counted";
const dropMarksSql = "DELETE FROM transaction_marks";
/** Marks that say something else than a count does. */
export const wrongMarksSql =
  "SELECT m.id FROM transaction_marks m WHERE m.counted <> (SELECT count(*) FROM transactions t " +
  "WHERE t.institution_id = m.institution_id AND m.account_id IN (t.debtor_account_id, t.creditor_account_id) " +
  "AND (t.created_at, t.id) <= (m.created_at, m.id))";

const allMarks = [4_096, 8_192, 12_288];
const offsets = [0, 4_095, 4_096, 4_097, 8_192, 10_000, busyCount - 1, busyCount + 5, 10 * busyCount];

/** Marks lead to pages far behind the first: what they say must be true whatever is written meanwhile. */
export function describeTransactionMarks(
  open: () => Promise<Store>,
  execute: (sql: string) => Promise<readonly (readonly unknown[])[]>,
): void {
  let store: Store;
  // A store looks for new marks once a minute.
  beforeEach(async () => {
    await execute(dropMarksSql);
    store = await open();
  });
  afterEach(() => store.close());

  const counts = async (): Promise<readonly number[]> => (await execute(marksSql)).flat().map(Number);

  async function record(
    id: string,
    debtorAccountId: string,
    creditorAccountId: string,
    createdAt: number,
  ): Promise<void> {
    const transaction = transactionWith(id, { debtorAccountId, creditorAccountId, createdAt });
    await store.write((tx) => tx.insert(transactions, transaction));
  }

  async function requirePages(): Promise<void> {
    for (const offset of offsets) {
      const page = await store.read((view) => view.page(transactionPage({ ...busy, offset, limit: 3 })));
      const expected = await execute(
        `SELECT id FROM transactions WHERE 'busy' IN (debtor_account_id, creditor_account_id) ` +
          `ORDER BY created_at, id LIMIT 3 OFFSET ${offset}`,
      );
      expect(
        page.map(({ id }) => id),
        `offset ${offset}`,
      ).toEqual(expected.flat());
    }
    expect(await execute(wrongMarksSql)).toEqual([]);
  }

  test("a page far behind the first makes marks, and pages are the same with them and without", async () => {
    expect(await counts()).toEqual([]);
    await requirePages();
    await expect.poll(counts).toEqual(allMarks);
    await requirePages();
  });

  test("a transaction that is put between others removes the marks behind it, of both its accounts alone", async () => {
    await requirePages();
    await expect.poll(counts).toEqual(allMarks);
    await record("of others", "third", "other", 0);
    expect(await counts()).toEqual(allMarks);
    await record("late", "busy", "third", 1_000 + 5_000);
    expect(await counts()).toEqual([4_096, 8_192]);
    await record("later", "third", "busy", 1_000 + 3_000);
    expect(await counts()).toEqual([4_096]);
    await requirePages();
  });

  test("a transaction that follows all others removes none", async () => {
    await requirePages();
    await expect.poll(counts).toEqual(allMarks);
    await record("new", "busy", "third", Date.now());
    expect(await counts()).toEqual(allMarks);
    await requirePages();
  });
}
