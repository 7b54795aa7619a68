import { closeSync, copyFileSync, openSync, readFileSync, statSync, truncateSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { migrate, openSqliteReader, openSqliteStore, verifySqliteFile } from "../bank-stores.ts";
import { accountWith, bank, insertParties, user } from "../store-contract/samples.ts";
import { migratedFileForEachTest, tamper } from "./storage-folder.ts";
import { accounts, accountById } from "../../ledger/tables/index.ts";
import { users } from "../../runtime/store/tables/index.ts";

const file = migratedFileForEachTest();
const commits = 12;

/** The files that a service leaves behind when it is killed after some commits; all of them are in the log. */
async function killed(): Promise<string> {
  await (await openSqliteStore({ file: file(), migrate: true })).close();
  const store = await openSqliteStore({ file: file(), migrate: false });
  await store.write(insertParties);
  for (let index = 1; index < commits; index += 1)
    await store.write((tx) => tx.insert(accounts, accountWith(`a${index}`)));
  const copy = `${file()}.copy`;
  for (const side of ["", "-wal"]) copyFileSync(`${file()}${side}`, `${copy}${side}`);
  await store.close();
  return copy;
}

/** The same, where the log was moved into the database up to the middle of its commits. Gives how many frames were. */
async function killedWhenMoved(): Promise<{ readonly copy: string; readonly movedFrames: number }> {
  await (await openSqliteStore({ file: file(), migrate: true })).close();
  const store = await openSqliteStore({ file: file(), migrate: false });
  await store.write(insertParties);
  // Most pages of a commit are written by no other.
  const insert = (index: number) =>
    store.write((tx) =>
      tx.insert(users, { ...user, userName: `u${index}`, email: String(index % 10).repeat(20_000) }),
    );
  for (let index = 1; index < commits / 2; index += 1) await insert(index);
  const reader = new DatabaseSync(file(), { readOnly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM accounts").get();
  for (let index = commits / 2; index < commits; index += 1) await insert(index);
  tamper(file(), "PRAGMA wal_checkpoint(PASSIVE)");
  // sqlite.org/walformat.html §2.2: nBackfill
  const movedFrames = readFileSync(`${file()}-shm`).readUInt32LE(96);
  const copy = `${file()}.copy`;
  for (const side of ["", "-wal"]) copyFileSync(`${file()}${side}`, `${copy}${side}`);
  reader.close();
  await store.close();
  return { copy, movedFrames };
}

/** The texts of what verify says of the file itself: these books lack audit entries. */
function faultsOfFile(name: string): readonly string[] {
  return verifySqliteFile(name)
    .findings.filter(({ kind }) => kind === "file")
    .map(({ what }) => what);
}

function overwrite(name: string, at: number, bytes: Uint8Array): void {
  const descriptor = openSync(name, "r+");
  writeSync(descriptor, bytes, 0, bytes.length, at);
  closeSync(descriptor);
}

/** Turns one bit over. */
function flip(name: string, at: number): void {
  overwrite(name, at, Uint8Array.of((readFileSync(name)[at] ?? 0) ^ 1));
}

describe("a log that SQLite would take for shorter than it is", () => {
  test.each([
    ["in a page of its first frame", 32 + 24 + 2_000],
    ["in a checksum", 32 + 16],
    ["in the checksum of its header", 25],
    ["in a salt of its header", 17],
    ["in its first word", 0],
  ])("is refused, verify says so, and what comes before the fault can be kept: %s", async (_where, at) => {
    const copy = await killed();
    flip(`${copy}-wal`, at);
    const before = readFileSync(`${copy}-wal`);
    const message = /-wal is damaged after (\d+) bytes, and \d+ commits behind that would be lost.*restore/s;
    for (const migrates of [true, false])
      await expect(openSqliteStore({ file: copy, migrate: migrates })).rejects.toThrow(message);
    await expect(openSqliteReader({ file: copy })).rejects.toThrow(message);
    await expect(migrate(copy)).rejects.toThrow(message);
    const [found = ""] = faultsOfFile(copy);
    expect(found).toMatch(message);
    expect(readFileSync(`${copy}-wal`)).toEqual(before);

    truncateSync(`${copy}-wal`, Number(message.exec(found)?.[1]));
    const store = await openSqliteStore({ file: copy, migrate: false });
    expect(await store.read((view) => view.one(accountById, bank.id, "a1"))).toBeUndefined();
    await store.close();
    expect(faultsOfFile(copy)).toEqual([]);
  });

  test.each([
    ["the first frame", () => 0],
    ["one in their midst", (movedFrames: number) => Math.floor(movedFrames / 2)],
    ["the last one that was", (movedFrames: number) => movedFrames - 1],
  ])(
    "is not to be cut off where the database holds what is behind the fault already: %s",
    async (_which, frameOf) => {
      const { copy, movedFrames } = await killedWhenMoved();
      expect(movedFrames).toBeGreaterThan(2);
      flip(`${copy}-wal`, 32 + frameOf(movedFrames) * (24 + 4096) + 24 + 2_000);
      const opened = openSqliteStore({ file: copy, migrate: false });
      await expect(opened).rejects.toThrow(/restore the latest backup.*Do not cut the log off/s);
      await expect(opened).rejects.not.toThrow(/truncate/);
    },
  );

  test("may be cut off where nothing behind the fault was moved", async () => {
    const { copy, movedFrames } = await killedWhenMoved();
    const frames = (statSync(`${copy}-wal`).size - 32) / (24 + 4096);
    flip(`${copy}-wal`, 32 + Math.floor((movedFrames + frames) / 2) * (24 + 4096) + 24 + 2_000);
    const message = /truncate -s (\d+) /;
    const [found = ""] = faultsOfFile(copy);
    expect(found).toMatch(message);
    truncateSync(`${copy}-wal`, Number(message.exec(found)?.[1]));
    expect(faultsOfFile(copy)).toEqual([]);
  });

  test("is taken as it is where a power cut may have left the fault: in its last commits, or at its end", async () => {
    const copy = await killed();
    const { size } = statSync(`${copy}-wal`);
    const whole = readFileSync(`${copy}-wal`);
    for (const damage of [
      () => flip(`${copy}-wal`, size - 100),
      () => truncateSync(`${copy}-wal`, size - 100),
    ]) {
      overwrite(`${copy}-wal`, 0, whole);
      damage();
      expect(faultsOfFile(copy)).toEqual([]);
    }
    const store = await openSqliteStore({ file: copy, migrate: false });
    expect(await store.read((view) => view.one(accountById, bank.id, "a1"))).toBeDefined();
    await store.close();
  });

  test("is none where it has started over: what is left of the one before it counts for nothing", async () => {
    const store = await openSqliteStore({ file: file(), migrate: true });
    await store.write(insertParties);
    for (let index = 0; index < commits; index += 1)
      await store.write((tx) => tx.insert(accounts, accountWith(`b${index}`)));
    const { size } = statSync(`${file()}-wal`);
    tamper(file(), "PRAGMA wal_checkpoint(RESTART)");
    await store.write((tx) => tx.insert(accounts, accountWith("last")));
    expect(statSync(`${file()}-wal`).size).toBe(size);
    expect(faultsOfFile(file())).toEqual([]);
    await store.close();
  });
});
