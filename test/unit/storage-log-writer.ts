/**
 * `node storage-log-writer.ts <file> <rounds>`: writes transactions that fill the log fast, says which were
 * acknowledged and why others were refused, and goes on.
 */
import { writeSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { openSqliteStore } from "../bank-stores.ts";
import { postingsOf, transactionWith, user } from "../store-contract/samples.ts";
import { transactions } from "../../ledger/tables/index.ts";
import { appendPostings } from "../../ledger/books/postings.ts";
import { users } from "../../runtime/store/tables/index.ts";

/** Between a refusal and the next attempt. */
const pauseMs = 10;

const [, , file = "", rounds = ""] = process.argv;
const store = await openSqliteStore({ file, migrate: true });
for (let round = 1; round <= Number(rounds); round += 1) {
  try {
    await write(`t${process.pid}-${round}`, round);
  } catch (error) {
    writeSync(1, `refused: ${error instanceof Error ? error.message : error}\n`);
    await setTimeout(pauseMs);
  }
}
await store.close();

async function write(id: string, round: number): Promise<void> {
  await store.write(async (tx) => {
    await tx.insert(transactions, transactionWith(id));
    await appendPostings(
      tx,
      postingsOf(id, [
        ["a", -1n],
        ["b", 1n],
      ]),
    );
    await tx.replace(users, { ...user, email: String(round % 10).repeat(150_000), otpFailures: round });
  });
  writeSync(1, `${id}\n`);
}
