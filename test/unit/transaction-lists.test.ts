import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { schema } from "../../ledger/schema.ts";
import { transactionListing } from "../../ledger/books/listing/transaction-listing.ts";
import { sqliteDialect } from "../../runtime/store/sqlite/connection.ts";
import { versions } from "../../runtime/store/sqlite/schema.ts";
import { transactions } from "../../ledger/tables/index.ts";
import type { TransactionQuery } from "../../ledger/domain/lists.ts";

const count = 10_000;
const database = new DatabaseSync(":memory:", { returnArrays: true, readBigInts: true });
database.exec("PRAGMA foreign_keys = OFF");
database.exec(versions(schema).whole.sql);
// Three of one time each; the sides take turns for a while, then one has nearly all; one in seven is of another customer.
database.exec(`
  WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count - 1})
  INSERT INTO transactions (id, institution_id, reference_id, customer_id, status, currency, amount_minor,
    debtor_account_id, creditor_account_id, document_json, content_hash, created_at, updated_at)
  SELECT printf('t%05d', n), 'bank', 'r' || n, iif(n % 7 = 0, 'other', 'mine'), 'PENDING', 'USD', 1,
    iif(n % 2 = 0 AND n < 6000 OR n % 997 = 0, 'a', 'b'), iif(n % 2 = 0 AND n < 6000 OR n % 997 = 0, 'b', 'a'),
    '{}', '', n / 3, 0
  FROM numbers`);

const all = Array.from({ length: count }, (_, index) => ({
  index,
  id: `t${String(index).padStart(5, "0")}`,
}));
const idColumn = transactions.columnOf("id").index;

function page(query: Omit<TransactionQuery, "institutionId" | "accountId">): {
  readonly ids: readonly string[];
  readonly mostRows: number;
} {
  const reading = transactionListing({ institutionId: "bank", accountId: "a", ...query }, sqliteDialect);
  let mostRows = 0;
  let turn = reading.next();
  while (turn.done !== true) {
    const found = database.prepare(turn.value.sql).all(...turn.value.values);
    const rows = found.map((row) =>
      Object.values(row).map((value) => sqliteDialect.toSql("text", String(value))),
    );
    mostRows = Math.max(mostRows, rows.length);
    turn = reading.next(rows);
  }
  return { ids: turn.value.map((row) => String(row[idColumn])), mostRows };
}

test.each([0, 1, 2, 3, 14, 15, 4_095, 4_096, 4_097, 5_999, 6_001, 8_192, 9_985, 9_990, 10_000, 10_001, 1e9])(
  "the page of transactions after %i is the one of the whole list, and reads no more than it shows",
  (offset) => {
    const { ids, mostRows } = page({ offset, limit: 15 });
    expect(ids).toEqual(all.slice(offset, offset + 15).map(({ id }) => id));
    expect(mostRows).toBeLessThanOrEqual(15);
  },
);

test.each([0, 4_095, 5_000, 8_560, 8_572])(
  "a page of some customers after %i looks at bounded steps",
  (offset) => {
    const mine = all.filter(({ index }) => index % 7 !== 0);
    const { ids, mostRows } = page({ offset, limit: 15, customerIds: ["mine", "nobody"] });
    expect(ids).toEqual(mine.slice(offset, offset + 15).map(({ id }) => id));
    expect(mostRows).toBeLessThanOrEqual(4_096);
  },
);
