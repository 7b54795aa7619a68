/** `node posting-writer.ts <url> <run> <writers> <each>`: posts between eight accounts and prints each acknowledged one. */
import { writeSync } from "node:fs";
import { openAnew } from "../store-contract/openers.ts";
import { bank, postingsOf, transactionWith } from "../store-contract/samples.ts";

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
    await store.transact(async (tx) => {
      await tx.transactions.insert(transactionWith(id));
      const debtor = await tx.accounts.find(bank.id, `a${from}`);
      if (debtor === undefined) throw new Error("an account is missing");
      await tx.accounts.replace({ ...debtor, holdMinor: debtor.holdMinor + 1n });
      await tx.postings.append(
        postingsOf(id, [
          [`a${from}`, -1n],
          [`a${to}`, 1n],
        ]),
      );
    });
    writeSync(1, `${id}\n`);
  }
}
