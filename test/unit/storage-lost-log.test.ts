import {
  closeSync,
  copyFileSync,
  existsSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Store } from "../../runtime/store/ports/index.ts";
import { migrate, openSqliteReader, openSqliteStore } from "../bank-stores.ts";
import { accountWith, bank, insertParties } from "../store-contract/samples.ts";
import { migratedFileForEachTest } from "./storage-folder.ts";
import { accounts, accountById } from "../../ledger/tables/index.ts";

const file = migratedFileForEachTest();
const stores: Store[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

async function opened(name = file(), mayMigrate = true): Promise<Store> {
  const store = await openSqliteStore({ file: name, migrate: mayMigrate });
  stores.push(store);
  return store;
}

async function withAccounts(): Promise<Store> {
  const store = await opened();
  await store.write(insertParties);
  await store.write((tx) => tx.insert(accounts, accountWith("a")));
  return store;
}

const isThere = async (store: Store, id: string): Promise<boolean> =>
  (await store.read((view) => view.one(accountById, bank.id, id))) !== undefined;

/** The files as a process leaves them that is killed now. */
function killed(): string {
  const copy = `${file()}.killed`;
  for (const suffix of ["", "-wal", ".in-log"]) {
    if (existsSync(`${file()}${suffix}`)) copyFileSync(`${file()}${suffix}`, `${copy}${suffix}`);
  }
  return copy;
}

describe("a log that is lost after the process was killed", () => {
  test.each([
    ["removed", (log: string) => unlinkSync(log)],
    ["emptied", (log: string) => truncateSync(log, 0)],
  ])("is missed where it was %s: an older state is not taken for the books", async (_name, lose) => {
    await withAccounts();
    const copy = killed();
    lose(`${copy}-wal`);
    const size = statSync(copy).size;
    const message = /-wal is missing or empty, but commits were in it.*restore.*remove .*in-log/;
    for (const mayMigrate of [true, false]) await expect(opened(copy, mayMigrate)).rejects.toThrow(message);
    await expect(migrate(copy)).rejects.toThrow(message);
    await expect(openSqliteReader({ file: copy })).rejects.toThrow(message);
    expect(statSync(copy).size).toBe(size);
  });

  test("is missed nowhere else: not after a kill, a reader after it, or a stop", async () => {
    const store = await withAccounts();
    const copy = killed();
    const reader = await openSqliteReader({ file: copy });
    expect(await isThere(reader, "a")).toBe(true);
    await reader.close();
    const again = await opened(copy, false);
    expect(await isThere(again, "a")).toBe(true);
    await again.write((tx) => tx.insert(accounts, accountWith("b")));
    await again.close();
    await store.close();
    expect(readdirSync(dirname(file())).filter((name) => /wal|in-log/.test(name))).toEqual([]);
    await opened(file(), false);
    await opened(copy, false);
  });

  test("whose header is not whole is damaged, however little follows", async () => {
    await withAccounts();
    const copy = killed();
    const log = openSync(`${copy}-wal`, "r+");
    const { size } = statSync(`${copy}-wal`);
    ftruncateSync(log, 0);
    ftruncateSync(log, size);
    closeSync(log);
    await expect(opened(copy, false)).rejects.toThrow(
      /-wal is damaged after 0 bytes, and what follows would be lost/,
    );
  });
});

describe("a running service", () => {
  test("whose log is removed takes no more, and moves what it holds into the database at once", async () => {
    const store = await withAccounts();
    unlinkSync(`${file()}-wal`);
    const refused = store.write((tx) => tx.insert(accounts, accountWith("b")));
    await expect(refused).rejects.toMatchObject({ reason: "file-replaced" });
    // The next answer comes after the turn in which that began.
    await expect.poll(() => existsSync(`${file()}.in-log`)).toBe(false);
    const copy = killed();
    expect(existsSync(`${copy}-wal`)).toBe(false);
    const again = await opened(copy, false);
    expect(await isThere(again, "a")).toBe(true);
    expect(await isThere(again, "b")).toBe(false);
  });

  test("whose log is cut off takes no more: nothing is acknowledged that a start would not find", async () => {
    const store = await withAccounts();
    truncateSync(`${file()}-wal`, 0);
    const refused = store.write((tx) => tx.insert(accounts, accountWith("b")));
    await expect(refused).rejects.toMatchObject({ reason: "damaged" });
    await expect(store.ping()).rejects.toThrow(/restore a backup/);
  });

  test("whose log's index is removed takes no more", async () => {
    const store = await withAccounts();
    unlinkSync(`${file()}-shm`);
    const refused = store.write((tx) => tx.insert(accounts, accountWith("b")));
    await expect(refused).rejects.toMatchObject({ reason: "file-replaced" });
    await store.close();
    expect(await isThere(await opened(killed(), false), "a")).toBe(true);
  });

  test("whose log is damaged when it stops leaves all as it is, and says so at the next start", async () => {
    const store = await withAccounts();
    const log = `${file()}-wal`;
    flipBit(log, 20);
    const before = readFileSync(log);
    await store.close();
    expect(readFileSync(log).equals(before)).toBe(true);
    await expect(opened(file(), false)).rejects.toThrow(/-wal (is|was) damaged .*restore the latest backup/i);
  });

  test("whose log was cut off is refused at the next start until an operator decides", async () => {
    const store = await withAccounts();
    const log = `${file()}-wal`;
    truncateSync(log, statSync(log).size - 2 * (4096 + 24));
    const refused = store.write((tx) => tx.insert(accounts, accountWith("b")));
    await expect(refused).rejects.toMatchObject({ reason: "damaged" });
    await store.close();
    await expect(opened(file(), false)).rejects.toThrow(/was cut off by another program.*remove .*in-log/);
    const copy = killed();
    unlinkSync(`${copy}.in-log`);
    await opened(copy, false);
  });
});

function flipBit(name: string, at: number): void {
  const bytes = readFileSync(name);
  const descriptor = openSync(name, "r+");
  writeSync(descriptor, Buffer.from([(bytes[at] ?? 0) ^ 4]), 0, 1, at);
  closeSync(descriptor);
}
