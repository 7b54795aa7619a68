import { expect, test } from "vitest";
import { startTransactionContentHash, transactionContentHash } from "../../ledger/domain/content-hashes.ts";
import { postingAt, transaction } from "./verify-postings.ts";

test("the content hash is the same of all postings at once and one by one", () => {
  for (const count of [0, 1, 2, 7]) {
    const postings = Array.from({ length: count }, (_, index) => postingAt(index));
    const one = startTransactionContentHash(transaction);
    for (const posting of postings) one.add(posting);
    expect(one.end()).toBe(transactionContentHash(transaction, postings.toReversed()));
  }
});
