import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import {
  startTransactionContentHash,
  transactionContentHash,
  type TransactionContent,
} from "../../runtime/domain/index.ts";
import type { ChainedPostingRecord } from "../../runtime/ports/index.ts";
import type { Books } from "../../runtime/storage/common/verify/index.ts";
import { createFindings } from "../../runtime/storage/common/verify/index.ts";
import { verifyTransactions } from "../../runtime/storage/common/verify/transactions.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const transaction: TransactionContent = {
  id: "t",
  institutionId: "i",
  referenceId: "r",
  customerId: "c",
  status: "COMPLETED",
  currency: "USD",
  amountMinor: 1n,
  debtorAccountId: "d",
  creditorAccountId: "e",
  documentJson: `{"TransactionId":"t","ReferenceId":"r","CustomerId":"c","InstructedAmount":{"Amount":0.01,"Currency":"USD"}}`,
  contentHash: "",
  createdAt: 0,
};

function postingAt(index: number): ChainedPostingRecord {
  return {
    id: `t/${String(index).padStart(9, "0")}`,
    institutionId: "i",
    transactionId: "t",
    accountId: index % 2 === 0 ? "d" : "e",
    currency: "USD",
    amountMinor: index % 2 === 0 ? -1n : 1n,
    createdAt: 0,
    position: index + 1,
    hash: "",
  };
}

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
  const books: Books = {
    institutions: () => ["i"],
    count: () => 1,
    accounts: none,
    postings: none,
    pending: none,
    transactions: () => [transaction],
    postingsByTransaction: stream,
    audit: none,
    records: none,
    sealKeyId: () => undefined,
    sealedTexts: none,
    auditInOrder: none,
    roots: none,
    customerOf: () => "c",
  };
  const findings = createFindings();
  verifyTransactions(books, "i", findings, { transactions: 0, auditEntries: 0 }, () => undefined);
  expect(findings.kept().map(({ what }) => what)).toContain(
    `is COMPLETED and its ${postings} postings are not what it moves: d -1 USD, e 1 USD`,
  );
  expect(held).toBeLessThan(2_000_000);
});

test("the content hash is the same of all postings at once and one by one", () => {
  for (const count of [0, 1, 2, 7]) {
    const postings = Array.from({ length: count }, (_, index) => postingAt(index));
    const one = startTransactionContentHash(transaction);
    for (const posting of postings) one.add(posting);
    expect(one.end()).toBe(transactionContentHash(transaction, postings.toReversed()));
  }
});
