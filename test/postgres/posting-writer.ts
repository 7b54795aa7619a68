/** `node posting-writer.ts <url> <run> <writers> <each>`: posts between eight accounts and prints each acknowledged one. */
import { writeSync } from "node:fs";
import { openAnew } from "../store-contract/openers.ts";
import { bank, postingsOf, transactionWith } from "../store-contract/samples.ts";
import { transactions, accountById, accounts } from "../../ledger/tables/index.ts";
import { appendPostings } from "../../ledger/books/postings.ts";

const [, , url = "", run = "", writers = "0", each = "0"] = process.argv;
const store = await openAnew(url);
await Promise.all(Array.from({ length: Number(writers) }, (_, writer) => post(writer)));
await store.close();

/** Moves 1 from one account to another, and counts in a record that all writers read and replace. */
async function post(writer: number): Promise<void> {
  for (let index = 0; index < Number(each); index += 1) {
    const id = `${run}-${writer}-${index}`;
    const from = (writer + index) % 8;
    const to = (from + 1 + ((writer * 3 + index) % 7)) % 8;
    await store.write(async (tx) => {
      await tx.insert(transactions, transactionWith(id));
      const debtor = await tx.one(accountById, bank.id, `a${from}`);
      if (debtor === undefined) throw new Error("an account is missing");
      await tx.replace(accounts, { ...debtor, holdMinor: debtor.holdMinor + 1n });
      await appendPostings(
        tx,
        postingsOf(id, [
          [`a${from}`, -1n],
          [`a${to}`, 1n],
        ]),
      );
    });
    writeSync(1, `${id}\n`);
  }
}
