/** `node crash-writer.ts <url> <run>`: writes until it is killed, and says what was acknowledged. */
import { writeSync } from "node:fs";
import { openAnew } from "./openers.ts";
import { postingsOf, transactionWith } from "./samples.ts";
import { transactions } from "../../ledger/tables/index.ts";
import { appendPostings } from "../../ledger/books/postings.ts";

const [, , url = "", run = ""] = process.argv;
const store = await openAnew(url);
let next = 0;
await Promise.all(Array.from({ length: 8 }, writeForEver));

async function writeForEver(): Promise<void> {
  while (true) {
    next += 1;
    const id = `${run}-${next}`;
    await store.write(async (tx) => {
      await tx.insert(transactions, transactionWith(id));
      await appendPostings(
        tx,
        postingsOf(id, [
          ["a", -1n],
          ["b", 1n],
        ]),
      );
    });
    writeSync(1, `${id}\n`);
  }
}
