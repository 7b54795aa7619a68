import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createFindings } from "../../runtime/store/common/verify/index.ts";
import type { AuditedBooks } from "../../ledger/books/verify/books.ts";
import { verifyTransactions } from "../../ledger/books/verify/transactions.ts";
import { postingAt, transaction } from "./verify-postings.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

test("a transaction of any number of postings is verified in bounded memory", () => {
  const postings = 40_000;
  let before = 0;
  let held = 0;
  function* stream() {
    collectGarbage();
    before = process.memoryUsage().heapUsed;
    for (let index = 0; index < postings; index += 1) yield postingAt(index);
    collectGarbage();
    held = process.memoryUsage().heapUsed - before;
  }
  const none = () => [];
  const books: AuditedBooks = {
    count: () => 1,
    accounts: none,
    postings: none,
    pending: none,
    transactions: () => [transaction],
    postingsByTransaction: stream,
    audit: none,
    customerOf: () => "c",
  };
  const findings = createFindings();
  const totals = { count: () => undefined, auditEntries: 0, sums: new Map<string, bigint>() };
  verifyTransactions(books, "i", findings, totals, () => undefined);
  expect(findings.kept().map(({ what }) => what)).toContain(
    `is COMPLETED and its ${postings} postings are not what it moves: d -1 USD, e 1 USD`,
  );
  expect(held).toBeLessThan(2_000_000);
});
