import {
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
  closeSync,
} from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { UnavailableError, type Store, type StoreHealth } from "../../runtime/store/ports/index.ts";
import { createGroupCommit } from "../../runtime/store/sqlite/engine/group-commit.ts";
import { openConnection } from "../../runtime/store/sqlite/connection.ts";
import { checkedAtOpenBytesMax } from "../../runtime/store/sqlite/file-check/check-file.ts";
import { declaredFault } from "../../runtime/store/sqlite/errors.ts";
import { isLogEmpty, markFile } from "../../runtime/store/sqlite/log/log-mark.ts";
import { createHealth } from "../../runtime/store/common/engine.ts";
import { migrate, openSqliteReader, openSqliteStore } from "../bank-stores.ts";
import { accountWith, bank, insertParties, user } from "../store-contract/samples.ts";
import { patienceMs, until } from "../until.ts";
import { migratedFileForEachTest, tamper } from "./storage-folder.ts";
import { userByName, users, institutionById } from "../../runtime/store/tables/index.ts";
import { accounts } from "../../ledger/tables/index.ts";
import { accountPage } from "../../ledger/books/listing/index.ts";

const file = migratedFileForEachTest();
const stores: Store[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

describe("what SQLite says of the disk", () => {
  test.each([
    [13, "disk-full"],
    [778, "disk-fault"], // IOERR_WRITE: a quota, or a limit of the file's size
    [1034, "disk-fault"], // IOERR_FSYNC
    [4874, "disk-full"],
    [8, "read-only"],
    [776, "read-only"], // READONLY_ROLLBACK
    [14, "disk-fault"],
    [5, "database-locked"],
    [517, "database-locked"], // BUSY_SNAPSHOT
    [7, "out-of-memory"],
    [3082, "out-of-memory"],
    [11, "damaged"],
    [779, "damaged"], // CORRUPT_INDEX
    [26, "damaged"],
    [8458, "damaged"],
    [1032, "file-replaced"],
  ])("by code %i is declared as %s", (errcode, reason) => {
    const fault = declaredFault(Object.assign(new Error("x"), { errcode }));
    expect(fault).toBeInstanceOf(UnavailableError);
    expect(fault).toMatchObject({ reason });
  });

  test("of a statement's own faults is left as it is", () => {
    const error = Object.assign(new Error("x"), { errcode: 2067 });
    expect(declaredFault(error)).toBe(error);
  });
});

describe("a database without room", () => {
  test("refuses all that share the commit, half of none, and takes the next once there is room", async () => {
    await migrate(file());
    const connection = openConnection(file(), { readOnly: false });
    const lost: unknown[] = [];
    const groups = createGroupCommit({
      connection,
      betweenCommits: () => undefined,
      beforeCommit: () => undefined,
      afterCommit: () => undefined,
      onLost: (error) => lost.push(error),
      // A group is open for a time, however long a busy machine takes for it.
      monotonicMs: () => 0,
    });
    const insert = (id: string, bytes: number) =>
      groups.transact(async () => {
        connection.change("INSERT INTO institutions VALUES (?1, ?2)", [id, "x".repeat(bytes)]);
      });
    const [pages] = connection.row("PRAGMA page_count", []) ?? [];
    connection.rows(`PRAGMA max_page_count = ${pages}`, []);
    const outcomes = await Promise.allSettled([insert("a", 1), insert("b", 100_000), insert("c", 1)]);
    const refused = { status: "rejected", reason: { reason: "disk-full" } };
    // The last one had not begun: it is a group of its own, and there is room for it.
    expect(outcomes).toMatchObject([refused, refused, { status: "fulfilled" }]);
    expect(lost).toHaveLength(1);
    expect(connection.rows("SELECT id FROM institutions", [])).toEqual([["c"]]);
    connection.rows("PRAGMA max_page_count = 100000", []);
    await insert("d", 100_000);
    expect(connection.rows("SELECT id FROM institutions", [])).toEqual([["c"], ["d"]]);
    await groups.close();
    connection.close();
  });
});

/** Nothing passes until `pass`. */
function stopTheClock(): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => void vi.useRealTimers());
}

const second = 1_000;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("a store's health", () => {
  stopTheClock();

  test("is told once for each change, and recovers by itself", async () => {
    const changes: StoreHealth["kind"][] = [];
    let isFull = true;
    let probes = 0;
    const health = createHealth({
      probe: async () => {
        probes += 1;
        if (isFull) health.failed(new UnavailableError("disk-full"));
        else health.wrote();
      },
      onChange: ({ kind }) => changes.push(kind),
    });
    for (let times = 0; times < 5; times += 1) health.failed(new UnavailableError("disk-full"));
    health.failed(new Error("something else"));
    expect(changes).toEqual(["failing"]);
    await expect(health.probed()).rejects.toThrow(/disk is full/);
    await pass(3 * second);
    expect(probes).toBe(3);
    expect(changes).toEqual(["failing"]);
    isFull = false;
    await pass(second);
    expect(changes).toEqual(["failing", "well"]);
    await health.probed();
    await pass(60 * second);
    expect(probes).toBe(4);
    health.close();
  });

  test("does not recover by a single success just after a failure", async () => {
    const health = createHealth({ probe: () => Promise.resolve(), onChange: () => undefined });
    health.failed(new UnavailableError("disk-full"));
    await pass(899);
    health.wrote();
    expect(health.now()).toMatchObject({ kind: "failing", reason: "disk-full" });
    await pass(1);
    health.wrote();
    expect(health.now()).toEqual({ kind: "well" });
    health.close();
  });

  test("is not probed while a commit of the last seconds shows it", async () => {
    let probes = 0;
    const health = createHealth({
      probe: async () => {
        probes += 1;
        health.wrote();
      },
      onChange: () => undefined,
    });
    health.wrote();
    await pass(5 * second - 1);
    await health.probed();
    expect(probes).toBe(0);
    await pass(1);
    await health.probed();
    expect(probes).toBe(1);
    health.close();
  });

  test("stays that of a full disk while small writes fit into the log's own room", async () => {
    const changes: StoreHealth["kind"][] = [];
    const looks: boolean[] = [];
    let hasRoom = false;
    const health = createHealth({
      probe: async () => health.wrote(),
      hasRoom: () => {
        looks.push(hasRoom);
        return hasRoom;
      },
      onChange: ({ kind }) => changes.push(kind),
    });
    health.failed(new UnavailableError("disk-full"));
    await pass(2 * second);
    expect(looks).toEqual([false, false]);
    expect(changes).toEqual(["failing"]);
    await expect(health.probed()).rejects.toThrow(/disk is full/);
    hasRoom = true;
    await pass(second);
    expect(changes).toEqual(["failing", "well"]);
    health.close();
  });

  test("stays what it is where the file is damaged", async () => {
    const health = createHealth({ probe: async () => health.wrote(), onChange: () => undefined });
    health.failed(new UnavailableError("damaged"));
    health.failed(new UnavailableError("disk-full"));
    health.wrote();
    expect(health.now()).toMatchObject({ kind: "failing", reason: "damaged" });
    expect(() => health.requireReadable()).toThrow(/restore a backup/);
    expect(() => health.requireWritable()).toThrow(/restore a backup/);
    health.close();
  });
});

describe("whether the disk takes writes", () => {
  stopTheClock();

  test("is tried by a write that reaches the log; a commit that wrote nothing does not show it", async () => {
    const store = await reopened();
    await store.write((tx) => tx.one(userByName, "x"));
    expect(logBytes()).toBe(0);
    await store.ping();
    expect(logBytes()).toBeGreaterThan(pageBytes);
  });

  test("is not tried where a commit has just reached it", async () => {
    const store = await reopened();
    await store.write((tx) => tx.insert(accounts, accountWith("b")));
    const written = logBytes();
    await store.ping();
    expect(logBytes()).toBe(written);
  });

  async function reopened(): Promise<Store> {
    await (await opened()).close();
    const store = await openSqliteStore({ file: file(), migrate: false });
    stores.push(store);
    return store;
  }
  const pageBytes = 4096;
  const logBytes = (): number => statSync(`${file()}-wal`).size;
});

describe("a store whose lock another program holds", () => {
  stopTheClock();

  test("is not ready, says so, and is ready again afterwards", async () => {
    const store = await opened({ lockWaitMs: 0 });
    const other = new DatabaseSync(file());
    other.exec("BEGIN IMMEDIATE");
    await expect(store.write((tx) => tx.one(userByName, "x"))).rejects.toMatchObject({
      reason: "database-locked",
    });
    await expect(store.ping()).rejects.toThrow(/another program holds/);
    expect(await store.read((view) => view.one(userByName, user.userName))).toEqual(user);
    other.exec("ROLLBACK");
    other.close();
    await until(async () => {
      await pass(second);
      return store.health().kind === "well";
    });
    await store.ping();
  });
});

test("a store that is closed waits for another program's lock, then empties its log", async () => {
  const store = await openSqliteStore({ file: file(), migrate: false, lockWaitMs: patienceMs });
  await store.write(insertParties);
  const other = new DatabaseSync(file());
  other.exec("BEGIN IMMEDIATE");
  const closed = store.close();
  // It is about to empty the log.
  await until(() => !existsSync(markFile(file())));
  other.exec("ROLLBACK");
  await closed;
  expect(isLogEmpty(file())).toBe(true);
  other.close();
});

describe("a damaged file is not opened, and the message says to restore a backup", () => {
  test.each<readonly [string, (name: string) => void, RegExp]>([
    ["whose middle is overwritten", (name) => overwrite(name, 40_000, 40_000), /is damaged/],
    ["whose first page is overwritten", (name) => overwrite(name, 100, 4_000), /is damaged/],
    [
      "that is cut off",
      (name) => truncateSync(name, 20_480),
      /is damaged: [0-9]+ bytes of its end are missing/,
    ],
    [
      "that is something else",
      (name) => writeFileSync(name, "hello ".repeat(1_000)),
      /is no SQLite database/,
    ],
    ["that is shorter than a header", (name) => writeFileSync(name, "SQLite"), /is no SQLite database/],
    ["that lacks a table", (name) => tamper(name, "DROP TABLE portal_logins"), /portal_logins is missing/],
    [
      "that lacks an index",
      (name) => tamper(name, "DROP INDEX accounts_by_creation"),
      /accounts_by_creation is missing/,
    ],
    [
      "that has a table otherwise",
      (name) => tamper(name, "ALTER TABLE portal_logins ADD COLUMN x TEXT"),
      /portal_logins is not as this service made it/,
    ],
  ])("%s", async (_name, damage, message) => {
    const store = await openSqliteStore({ file: file(), migrate: true });
    await store.write(async (tx) => {
      await insertParties(tx);
      for (let index = 0; index < 100; index += 1) await tx.insert(accounts, accountWith(`a${index}`));
    });
    await store.close();
    damage(file());
    const before = readFileSync(file());
    for (const migrates of [true, false]) {
      const refused = openSqliteStore({ file: file(), migrate: migrates });
      await expect(refused).rejects.toThrow(message);
      await expect(refused).rejects.toThrow(/restore/);
    }
    // A reader begins at once: `verify` has checks of its own.
    if (/missing|SQLite/.test(message.source) && !/portal|accounts/.test(message.source)) {
      await expect(openSqliteReader({ file: file() })).rejects.toThrow(message);
    }
    expect(readFileSync(file())).toEqual(before);
  });

  test.each([
    ["that is empty beside a log with commits", (name: string) => truncateSync(name, 0)],
    ["that is gone, its log with commits is not", (name: string) => unlinkSync(name)],
  ])("%s", async (_name, damage) => {
    const store = await opened();
    const copy = `${file()}.copy`;
    copyFileSync(file(), copy);
    copyFileSync(`${file()}-wal`, `${copy}-wal`);
    await store.close();
    damage(copy);
    for (const migrates of [true, false]) {
      await expect(openSqliteStore({ file: copy, migrate: migrates })).rejects.toThrow(
        /its log .* holds commits.*restore/s,
      );
    }
    await expect(migrate(copy)).rejects.toThrow(/its log/);
    expect(statSync(`${copy}-wal`).size).toBeGreaterThan(1_000);
    rmSync(`${copy}-wal`);
  });

  test.each([".replaced-2026-11-23T20-00-00.000Z", ".restoring"])(
    "that is gone, as a restore leaves it that was killed: only %s is there",
    async (suffix) => {
      await (await opened()).close();
      renameSync(file(), `${file()}${suffix}`);
      for (const migrates of [true, false]) {
        await expect(openSqliteStore({ file: file(), migrate: migrates })).rejects.toThrow(
          /interrupted restore has left.*Restore again/,
        );
      }
      await expect(migrate(file())).rejects.toThrow(/interrupted restore/);
    },
  );

  test("a new, empty file is none", async () => {
    writeFileSync(file(), "");
    await (await openSqliteStore({ file: file(), migrate: true })).close();
  });
});

describe("a file that turns out damaged while it is used", () => {
  test("is neither read nor written any more", async () => {
    const store = await opened();
    await store.close();
    const changes: StoreHealth[] = [];
    const again = await openSqliteStore({
      file: file(),
      migrate: false,
      onHealth: (health) => changes.push(health),
    });
    overwrite(file(), 4_096, statSync(file()).size - 4_096);
    await expect(again.write((tx) => tx.replace(users, user))).rejects.toMatchObject({
      reason: "damaged",
    });
    await expect(again.read((view) => view.one(institutionById, bank.id))).rejects.toMatchObject({
      reason: "damaged",
    });
    await expect(again.ping()).rejects.toThrow(/restore a backup/);
    expect(changes).toMatchObject([{ kind: "failing", reason: "damaged" }]);
    const before = readFileSync(file());
    await again.close();
    expect(readFileSync(file())).toEqual(before);
  });

  test("is found by the threads that read lists, too", async () => {
    const store = await opened();
    await store.close();
    const again = await openSqliteStore({ file: file(), migrate: false });
    // Of accounts alone: whatever else is looked at first is whole.
    for (const page of pagesOf("accounts")) overwrite(file(), (page - 1) * 4_096, 4_096);
    const query = { institutionId: bank.id, offset: 0, limit: 10 };
    await expect(again.read((view) => view.page(accountPage(query)))).rejects.toMatchObject({
      name: "UnavailableError",
      reason: "damaged",
    });
    expect(again.health()).toMatchObject({ reason: "damaged" });
    await again.close();
  });
});

async function opened(options: { readonly lockWaitMs?: number } = {}): Promise<Store> {
  const store = await openSqliteStore({ file: file(), migrate: true, ...options });
  stores.push(store);
  await store.write(insertParties);
  return store;
}

/** Where a table and its indexes begin. */
function pagesOf(table: string): readonly number[] {
  const database = new DatabaseSync(file(), { readOnly: true });
  const rows = database
    .prepare("SELECT rootpage FROM sqlite_schema WHERE tbl_name = ? AND rootpage > 0")
    .all(table);
  database.close();
  return rows.map(({ rootpage }) => Number(rootpage));
}

function overwrite(name: string, from: number, bytes: number): void {
  const descriptor = openSync(name, "r+");
  writeSync(descriptor, Buffer.alloc(bytes, 0xa5), 0, bytes, from);
  closeSync(descriptor);
}

describe("a file that is too large to be checked before the store opens", () => {
  test("is checked while the store serves, and damage found then ends that", async () => {
    const store = await openSqliteStore({ file: file(), migrate: true });
    await store.write(async (tx) => {
      await insertParties(tx);
      for (let index = 0; index < 100; index += 1) {
        await tx.insert(users, { ...user, userName: `u${index}`, email: "x".repeat(100_000) });
      }
    });
    await store.close();
    expect(statSync(file()).size).toBeGreaterThan(checkedAtOpenBytesMax);
    const sound = await openSqliteStore({ file: file(), migrate: false });
    await sound.read((view) => view.one(userByName, user.userName));
    await until(() =>
      sound.ping().then(
        () => true,
        (error: UnavailableError) => error.reason !== "checking",
      ),
    );
    await sound.ping();
    await sound.close();

    // An index page in the end of the file, which nothing else looks at.
    overwrite(file(), statSync(file()).size - 4_096, 4_096);
    const damaged = await openSqliteStore({ file: file(), migrate: false });
    await until(() => damaged.health().kind === "failing");
    expect(damaged.health()).toMatchObject({ reason: "damaged" });
    await expect(damaged.ping()).rejects.toThrow(/restore a backup/);
    await damaged.close();
  });
});
