import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { storedNonces } from "../../runtime/pipeline/index.ts";
import { createReplayRegister } from "../../runtime/auth/index.ts";
import { openStore } from "../bank-stores.ts";
import { systemClock } from "../../runtime/operations/system/index.ts";
import { describeCrashes } from "../store-contract/crashes.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { accountWith, bank, insertParties, ledgerFindings } from "../store-contract/samples.ts";
import { testDatabase } from "./databases.ts";
import { accounts as accountsTable, accountById } from "../../ledger/tables/index.ts";

const writersOfEach = 32;
const postingsOfEach = 1;

test("64 writers of two processes over 8 accounts lose no update, and all sums are zero", async () => {
  const { url, dispose } = await testDatabase();
  const store = await openStore(url, optionsUnderTest);
  const ids = Array.from({ length: 8 }, (_, index) => `a${index}`);
  await store.write(async (tx) => {
    await insertParties(tx);
    for (const id of ids) await tx.insert(accountsTable, accountWith(id));
  });
  const script = join(import.meta.dirname, "posting-writer.ts");
  const run = async (name: string): Promise<readonly string[]> => {
    const args = [script, url, name, String(writersOfEach), String(postingsOfEach)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return stdout.trim().split("\n");
  };
  const acknowledged = (await Promise.all(["one", "two"].map(run))).flat();
  const count = 2 * writersOfEach * postingsOfEach;
  expect(new Set(acknowledged).size).toBe(count);
  const accounts = await store.read((view) =>
    Promise.all(ids.map((id) => view.one(accountById, bank.id, id))),
  );
  const sumOf = (field: "holdMinor" | "ledgerMinor") =>
    accounts.reduce((sum, account) => sum + (account?.[field] ?? 0n), 0n);
  expect(sumOf("holdMinor")).toBe(BigInt(count));
  expect(sumOf("ledgerMinor")).toBe(0n);
  const { sums, records, ...verification } = await store.verify();
  expect({ sums, postings: records["postings"] }).toEqual({
    sums: [{ currency: "USD", sumMinor: 0n }],
    postings: 2 * count,
  });
  expect(ledgerFindings(verification)).toEqual([]);
  await store.close();
  await dispose();
});

test("a nonce that one process has taken the others refuse", async () => {
  const { url, dispose } = await testDatabase();
  const stores = await Promise.all([1, 2, 3].map(() => openStore(url, optionsUnderTest)));
  const registers = stores.map((store) =>
    createReplayRegister({ clock: systemClock, shelf: storedNonces(store) }),
  );
  const expiresAtMs = systemClock.now() + 60_000;
  for (const nonce of ["n1", "n2", "n3"]) {
    const taken = await Promise.all(registers.map((each) => each.take({ owner: "key", nonce, expiresAtMs })));
    expect(taken.map(({ kind }) => kind).toSorted()).toEqual(["replayed", "replayed", "taken"]);
  }
  await Promise.all(stores.map((store) => store.close()));
  await dispose();
});

describeCrashes("postgres", async () => {
  const { url, execute, dispose } = await testDatabase();
  // The server does what a session was sent before it ends it.
  const sessions =
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'ledger-rpc%'";
  return { url, settled: () => expect.poll(() => execute(sessions)).toEqual([]), dispose };
});
