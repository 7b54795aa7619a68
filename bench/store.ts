/**
 * `node bench/store.ts`: what the SQLite store costs beside the same work on bare `node:sqlite`, and what sharing a
 * commit saves. The two sides of each line run in turns, so that a change of the machine's pace meets both.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Store, Writes } from "../runtime/store/ports/index.ts";
import { openSqliteStore } from "../test/bank-stores.ts";
import {
  account,
  accountWith,
  bank,
  insertParties,
  postingsOf,
  transactionWith,
} from "../test/store-contract/samples.ts";
import { accounts, accountById, customerById, legalRepsOf, transactions } from "../ledger/tables/index.ts";
import { institutionById, outboxEvents, answers } from "../runtime/store/tables/index.ts";
import { accountPage } from "../ledger/books/listing/index.ts";
import { appendPostings } from "../ledger/books/postings.ts";

const accountCount = 10_000;
const rounds = 30;
const together = 16;

const folder = mkdtempSync(join(tmpdir(), "bench-store-"));
const file = join(folder, "ledger.sqlite");
const store = await openSqliteStore({ file, migrate: true });
try {
  await fill(store);
  const bare = new DatabaseSync(file, { readOnly: true, returnArrays: true, readBigInts: true });
  await benchReads(store, bare);
  bare.close();
  await benchWrites(store);
} finally {
  await store.close();
  rmSync(folder, { recursive: true });
}

async function fill(target: Store): Promise<void> {
  await target.write(async (tx) => {
    await insertParties(tx);
    for (let index = 0; index < accountCount; index += 1) {
      await tx.insert(accounts, accountWith(idOf(index), { createdAt: index }));
    }
  });
}

async function benchReads(target: Store, bare: DatabaseSync): Promise<void> {
  const byId = bare.prepare("SELECT * FROM accounts WHERE institution_id = ? AND id = ?");
  const page = bare.prepare(
    "SELECT * FROM accounts WHERE institution_id = ? ORDER BY created_at, id LIMIT 15 OFFSET ?",
  );
  await compare("account by id", 2_000, {
    "bare node:sqlite": async (index) => byId.get(bank.id, idOf(index)),
    "store.read": (index) => target.read((view) => view.one(accountById, bank.id, idOf(index))),
  });
  await compare("account, customer, institution, representative", 2_000, {
    "bare node:sqlite, the account alone": async (index) => byId.get(bank.id, idOf(index)),
    "store.read": (index) =>
      target.read(async (view) => {
        const found = await view.one(accountById, bank.id, idOf(index));
        await view.one(customerById, bank.id, found?.customerId ?? "");
        await view.one(institutionById, bank.id);
        await legalRepsOf(view, bank.id, found?.legalRepIds ?? []);
      }),
  });
  await compare("page of 15 accounts", 500, {
    "bare node:sqlite, without names": async (index) => page.all(bank.id, index % 100),
    "store.read": (index) =>
      target.read((view) =>
        view.page(accountPage({ institutionId: bank.id, offset: index % 100, limit: 15 })),
      ),
  });
}

async function benchWrites(target: Store): Promise<void> {
  let next = 0;
  const transfer = () => {
    next += 1;
    return target.write((tx) => recordTransfer(tx, next));
  };
  await compare(`recorded transfer: transaction, two postings, event, answer`, 10 * together, {
    "one after the other": transfer,
    [`${together} at a time`]: (index) =>
      index % together === 0 ? Promise.all(Array.from({ length: together }, transfer)) : Promise.resolve(),
  });
}

async function recordTransfer(tx: Writes, index: number): Promise<void> {
  const id = `transfer-${index}-${Math.random()}`;
  const from = await tx.one(accountById, bank.id, idOf(index));
  const to = await tx.one(accountById, bank.id, idOf(index + 1));
  if (from === undefined || to === undefined) throw new Error("the accounts are missing");
  await tx.insert(transactions, transactionWith(id, { debtorAccountId: from.id, creditorAccountId: to.id }));
  await appendPostings(
    tx,
    postingsOf(id, [
      [from.id, -5n],
      [to.id, 5n],
    ]),
  );
  const event = {
    institutionId: bank.id,
    name: "Transaction.NEW",
    source: "LEDGER",
    group: account.customerId,
  };
  const numbers = { topics: [from.number, to.number], payloadJson: `{"ReferenceId":"${id}"}` };
  await tx.insert(outboxEvents, { id, ...event, ...numbers, createdAt: index });
  await tx.insert(answers, { requestHash: id, resultJson: `{"TransactionId":"${id}"}`, createdAt: index });
}

function idOf(index: number): string {
  return `01JD0000000000000000${String((index * 7) % accountCount).padStart(6, "0")}`;
}

type Operation = (index: number) => Promise<unknown>;

async function compare(
  title: string,
  count: number,
  sides: Readonly<Record<string, Operation>>,
): Promise<void> {
  const best = new Map<string, number>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, operation] of Object.entries(sides)) {
      const startedAt = performance.now();
      for (let index = 0; index < count; index += 1) await operation(index);
      const eachUs = ((performance.now() - startedAt) * 1_000) / count;
      best.set(name, Math.min(best.get(name) ?? Infinity, eachUs));
    }
  }
  console.log(title);
  const [[, baseUs] = ["", 1]] = best;
  for (const [name, eachUs] of best) {
    console.log(
      `  ${name.padEnd(38)} ${eachUs.toFixed(1).padStart(7)} µs  × ${(eachUs / baseUs).toFixed(2)}`,
    );
  }
}
