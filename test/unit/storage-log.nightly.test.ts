import { spawn } from "node:child_process";
import { copyFileSync, existsSync, statSync } from "node:fs";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as turn, setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Store } from "../../runtime/store/ports/index.ts";
import { createSealing } from "../../runtime/store/common/sealing.ts";
import { openConnection, type Connection } from "../../runtime/store/sqlite/connection.ts";
import { migrate, openSqliteStore } from "../bank-stores.ts";
import {
  createWalLimit,
  logBytesMax,
  logBytesMoved,
  createCheckpointer,
} from "../../runtime/store/sqlite/log/wal-limit.ts";
import { createSnapshots } from "../../runtime/store/sqlite/engine/snapshots.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { accountWith, bank, insertParties, ledgerFindings, user } from "../store-contract/samples.ts";
import { fileForEachTest } from "./storage-folder.ts";
import { userByName, users } from "../../runtime/store/tables/index.ts";
import { accounts, postingsOfTransaction } from "../../ledger/tables/index.ts";
import { accountPage } from "../../ledger/books/listing/index.ts";

const file = fileForEachTest();
const logSize = () => statSync(`${file()}-wal`).size;
const logSizeOrNone = () => statSync(`${file()}-wal`, { throwIfNoEntry: false })?.size ?? 0;

/** The first look after the limit starts a move, a later one finds it done. */
const logBytesSeen = logBytesMax + logBytesMoved * 1.5;

describe("the write-ahead log", () => {
  test("is left alone while it is small", async () => {
    await withMover(async (connection, checkpointer) => {
      const asked: string[] = [];
      const recording: typeof checkpointer = {
        ...checkpointer,
        checkpoint(mode) {
          asked.push(mode);
          return checkpointer.checkpoint(mode);
        },
      };
      const open = () => openConnection(file(), { readOnly: true });
      const snapshots = createSnapshots({ open, sealing: createSealing(undefined), isOnlyWriter: true });
      const betweenCommits = createWalLimit({ file: file(), connection, checkpointer: recording, snapshots });
      const commit = async (round: number) => {
        fill(connection, round);
        await betweenCommits();
      };
      let round = 0;
      for (; logSizeOrNone() <= logBytesMoved / 2; round += 1) await commit(round);
      expect(asked).toEqual([]);
      for (; asked.length === 0 && logSize() < logBytesSeen; round += 1) await commit(round);
      expect(asked).toEqual(["PASSIVE"]);
      await snapshots.close();
    });
  });

  test("is moved once it has grown, with nobody asking for anything", async () => {
    await withStore(async (store) => {
      for (let round = 0; logSize() <= logBytesMoved || round % 16 !== 0; round += 1) {
        await write(store, round, 150_000, `user ${round}`);
      }
      await expect.poll(() => statSync(file()).size).toBeGreaterThan(logBytesMoved / 2);
    });
  });

  test("starts over where readers and writers take turns", async () => {
    await withStore(async (store) => {
      let largest = 0;
      for (let round = 0; round < 600; round += 1) {
        await write(store, round, 150_000);
        await store.read((view) => view.one(userByName, user.userName));
        largest = Math.max(largest, logSize());
      }
      expect(largest).toBeLessThan(logBytesSeen);
    });
  });

  test("stays bounded while readers overlap without a gap and writers keep writing", async () => {
    await withStore(async (store) => {
      const writing = { isDone: false };
      const readers = [1, 2, 3, 4].map(async (waitMs) => {
        while (!writing.isDone) {
          await store.read(async (view) => {
            const before = await view.one(userByName, user.userName);
            await setTimeout(waitMs);
            expect(await view.one(userByName, user.userName)).toStrictEqual(before);
          });
        }
      });
      let largest = 0;
      for (let round = 0; round < 600; round += 1) {
        await write(store, round, 200_000);
        largest = Math.max(largest, logSize());
      }
      writing.isDone = true;
      await Promise.all(readers);
      expect(largest).toBeLessThan(2 * logBytesMax);
      expect(ledgerFindings(await store.verify())).toEqual([]);
    });
  });

  test("starts over although threads read lists without a gap and writers keep writing", async () => {
    await withStore(async (store) => {
      await store.write(async (tx) => {
        for (let index = 0; index < 8_000; index += 1) await tx.insert(accounts, accountWith(`a${index}`));
      });
      // Each takes several turns of its thread, which keeps a snapshot meanwhile.
      const term = { kind: "text", field: "name", op: "has", value: "nowhere" } as const;
      const condition = { kind: "or", terms: Array.from({ length: 20 }, () => term) } as const;
      const writing = { isDone: false };
      let lists = 0;
      const readers = ["a", "b", "c", "d"].map(async (askedBy) => {
        const query = { institutionId: bank.id, askedBy, condition, offset: 0, limit: 9 };
        while (!writing.isDone) {
          expect(await store.read((view) => view.page(accountPage(query)))).toEqual([]);
          lists += 1;
        }
      });
      let startedOver = 0;
      let former = 0;
      for (let round = 0; round < 1_500 && startedOver < 2; round += 1) {
        await write(store, round, 200_000);
        if (logSize() < former) startedOver += 1;
        former = logSize();
      }
      const listsWhileWriting = lists;
      writing.isDone = true;
      await Promise.all(readers);
      expect(listsWhileWriting).toBeGreaterThan(4);
      expect(startedOver).toBe(2);
    });
  });

  test("starts over at the first attempt although lists wait for threads, and others read the same snapshots", async () => {
    await withStore(async (store) => {
      await store.write(async (tx) => {
        for (let index = 0; index < 2_000; index += 1) await tx.insert(accounts, accountWith(`a${index}`));
      });
      const term = { kind: "text", field: "name", op: "has", value: "nowhere" } as const;
      const condition = { kind: "or", terms: Array.from({ length: 5 }, () => term) } as const;
      const query = { institutionId: bank.id, condition, offset: 0, limit: 9 };
      const writing = { isDone: false };
      const lists = Array.from({ length: 12 }, async (_none, index) => {
        while (!writing.isDone)
          await store.read((view) => view.page(accountPage({ ...query, askedBy: `caller ${index % 3}` })));
      });
      const points = [1, 2].map(async () => {
        while (!writing.isDone) {
          await store.read((view) => view.one(userByName, user.userName));
          await turn();
        }
      });
      let startedOver = 0;
      let largest = 0;
      let former = 0;
      for (let round = 0; round < 2_000 && startedOver < 3; round += 1) {
        await write(store, round, 200_000);
        if (logSize() < former) startedOver += 1;
        former = logSize();
        largest = Math.max(largest, former);
      }
      writing.isDone = true;
      await Promise.all([...lists, ...points]);
      expect(startedOver).toBe(3);
      expect(largest).toBeLessThan(logBytesSeen);
    });
  });

  test("lets a reader wait for a writer that waits for readers", async () => {
    await withStore(async (store) => {
      await store.read(async (view) => {
        const before = await view.one(userByName, user.userName);
        for (let round = 0; round < 64; round += 1) await write(store, round, 1_000_000);
        expect(await view.one(userByName, user.userName)).toStrictEqual(before);
      });
      expect(logSize()).toBeGreaterThan(logBytesMax);
    });
  });

  test("is gone after close, even if it was being moved: the file alone is the store", async () => {
    const store = await openSqliteStore({ file: file(), migrate: true });
    await store.write(insertParties);
    const sizeBefore = statSync(file()).size;
    let round = 0;
    const writeUntilLookedAt = async (bytes: number) => {
      for (; logSize() <= bytes || round % 16 !== 0; round += 1) {
        await write(store, round, 150_000, `user ${round}`);
      }
    };
    await writeUntilLookedAt(logBytesMoved);
    await expect.poll(() => statSync(file()).size).toBeGreaterThan(sizeBefore);
    await writeUntilLookedAt(logSize() + logBytesMoved);
    await store.close();
    expect(existsSync(`${file()}-wal`)).toBe(false);
    copyFileSync(file(), `${file()}.copy`);
    const copy = await openSqliteStore({ file: `${file()}.copy`, migrate: false });
    const found = await copy.read((view) => view.one(userByName, `user ${round - 1}`));
    expect(found?.otpFailures).toBe(round - 1);
    await copy.close();
  });

  test("stays bounded although the thread cannot open the file", async () => {
    await migrate(file());
    const connection = openConnection(file(), { readOnly: false });
    const open = () => openConnection(file(), { readOnly: true });
    const snapshots = createSnapshots({ open, sealing: createSealing(undefined), isOnlyWriter: true });
    const checkpointer = createCheckpointer(`${file()}/is no folder`);
    const betweenCommits = createWalLimit({ file: file(), connection, checkpointer, snapshots });
    let largest = 0;
    for (let round = 0; round < 600; round += 1) {
      snapshots.beforeCommit();
      fill(connection, round);
      snapshots.afterCommit();
      await betweenCommits();
      largest = Math.max(largest, logSize());
    }
    expect(largest).toBeGreaterThan(logBytesMax);
    expect(largest).toBeLessThan(logBytesSeen);
    expect(logSize()).toBeLessThan(logBytesMax);
    await checkpointer.close();
    await snapshots.close();
    connection.close();
  });
});

describe("the thread that moves the log", () => {
  test("does so while the writer goes on, who never does it", async () => {
    await withMover(async (connection, checkpointer) => {
      for (let round = 0; round < 300; round += 1) fill(connection, round);
      expect(statSync(file()).size).toBeLessThan(logBytesMoved);
      const moving = { isDone: false };
      const moved = checkpointer.checkpoint("PASSIVE").finally(() => (moving.isDone = true));
      let round = 300;
      for (; !moving.isDone; round += 1) {
        fill(connection, round);
        await turn();
      }
      await moved;
      expect(statSync(file()).size).toBeGreaterThan(logBytesMoved);
      expect(connection.row("SELECT count(*) FROM institutions", [])).toEqual([BigInt(round)]);
      expect(await checkpointer.checkpoint("TRUNCATE")).toBe("all-moved");
      expect(logSize()).toBe(0);
      expect(connection.row("PRAGMA integrity_check", [])).toEqual(["ok"]);
      expect(connection.row("SELECT count(*) FROM institutions", [])).toEqual([BigInt(round)]);
    });
  });

  test("moves no more than readers allow, and waits for none", async () => {
    await withMover(async (connection, checkpointer) => {
      fill(connection, 0);
      const reader = openConnection(file(), { readOnly: true });
      reader.execute("BEGIN");
      const before = reader.row("SELECT count(*) FROM institutions", []);
      fill(connection, 1);
      expect(await checkpointer.checkpoint("PASSIVE")).toBe("not-all-moved");
      expect(await checkpointer.checkpoint("TRUNCATE")).toBe("not-all-moved");
      expect(reader.row("SELECT count(*) FROM institutions", [])).toEqual(before);
      reader.execute("COMMIT");
      reader.close();
      expect(await checkpointer.checkpoint("TRUNCATE")).toBe("all-moved");
      expect(logSize()).toBe(0);
    });
  });

  test("moves nothing of a file that it cannot open, at every attempt", async () => {
    const checkpointer = createCheckpointer(`${file()}/is no folder`);
    expect(
      await Promise.all([checkpointer.checkpoint("PASSIVE"), checkpointer.checkpoint("TRUNCATE")]),
    ).toEqual(["not-all-moved", "not-all-moved"]);
    expect(await checkpointer.checkpoint("PASSIVE")).toBe("not-all-moved");
    await checkpointer.close();
  });
});

describe("a process", () => {
  test("that does nothing but write ends when it has written everything", async () => {
    await prepare();
    const { lines, code } = await written({ rounds: 400 });
    expect(code).toBe(0);
    expect(lines).toHaveLength(400);
    expect(existsSync(`${file()}-wal`)).toBe(false);
    await expectWhole(lines);
  });

  test("that is killed while the log is being moved loses nothing", async () => {
    await prepare();
    const acknowledged: string[] = [];
    for (let run = 1; run <= 3; run += 1) {
      const { lines, signal } = await written({ rounds: 100_000, killAtMove: run });
      expect(signal).toBe("SIGKILL");
      acknowledged.push(...lines);
      await expectWhole(acknowledged);
    }
  });

  test("whose log has no space is told so by its commits, and goes on once that was moved", async () => {
    await prepare();
    const { lines, code } = await written({ rounds: 400, fileKiBMax: 20_000 });
    const refused = lines.filter((line) => line.startsWith("refused: "));
    expect(new Set(refused)).toEqual(new Set(["refused: the store could not commit: nothing was changed"]));
    expect(lines).toHaveLength(400);
    // 400 commits of 150 kB and more fill a log of 20 MB some four times. Each time the one that did not fit is refused.
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(10);
    expect(code).toBe(0);
    await expectWhole(lines.filter((line) => !line.startsWith("refused: ")));
  });
});

/** Writes pages that all differ from those before: SQLite leaves equal ones alone. */
async function write(store: Store, round: number, bytes: number, userName = user.userName): Promise<void> {
  const email = String(round % 10).repeat(bytes);
  const record = { ...user, userName, email, otpFailures: round };
  await store.write((tx) =>
    userName === user.userName ? tx.replace(users, record) : tx.insert(users, record),
  );
}

/** Commits 150 kB. */
function fill(connection: Connection, round: number): void {
  connection.execute("BEGIN IMMEDIATE");
  connection.change("INSERT INTO institutions VALUES (?1, ?2)", [`i${round}`, "x".repeat(150_000)]);
  connection.execute("COMMIT");
}

async function withStore(use: (store: Store) => Promise<void>): Promise<void> {
  const store = await openSqliteStore({ ...optionsUnderTest, file: file() });
  try {
    await store.write(insertParties);
    await use(store);
  } finally {
    await store.close();
  }
}

async function withMover(
  use: (connection: Connection, checkpointer: ReturnType<typeof createCheckpointer>) => Promise<void>,
): Promise<void> {
  await migrate(file());
  const connection = openConnection(file(), { readOnly: false });
  const checkpointer = createCheckpointer(file());
  try {
    await use(connection, checkpointer);
  } finally {
    await checkpointer.close();
    connection.close();
  }
}

async function prepare(): Promise<void> {
  const store = await openSqliteStore({ file: file(), migrate: true });
  await store.write(async (tx) => {
    await insertParties(tx);
    for (const id of ["a", "b"]) await tx.insert(accounts, accountWith(id));
  });
  await store.close();
}

/** Lets a process write. `killAtMove`: kills it so many times the database has been seen to change. */
async function written(options: {
  readonly rounds: number;
  readonly killAtMove?: number;
  readonly fileKiBMax?: number;
}): Promise<{ readonly lines: readonly string[]; readonly code: unknown; readonly signal: unknown }> {
  const { rounds, killAtMove = Infinity, fileKiBMax = "unlimited" } = options;
  const script = new URL("storage-log-writer.ts", import.meta.url).pathname;
  // A file that grows too large is then an error of the write.
  const limited = `trap '' XFSZ; ulimit -f ${fileKiBMax}; exec "$@"`;
  const command = ["-c", limited, "bash", process.execPath, script, file(), String(rounds)];
  const child = spawn("bash", command, { stdio: ["ignore", "pipe", "inherit"] });
  const { promise: ended, resolve: end } = Promise.withResolvers<{ code: unknown; signal: unknown }>();
  child.on("close", (code, signal) => end({ code, signal }));
  const lines: string[] = [];
  const changedAt = () => statSync(file()).mtimeMs;
  let before = changedAt();
  let changes = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    const now = changedAt();
    if (now !== before && ++changes >= killAtMove) child.kill("SIGKILL");
    before = now;
  }
  return { lines, ...(await ended) };
}

/** What was acknowledged is there, and nothing is torn. */
async function expectWhole(acknowledged: readonly string[]): Promise<void> {
  const store = await openSqliteStore({ file: file(), migrate: false });
  const verification = await store.verify();
  expect(ledgerFindings(verification)).toEqual([]);
  expect(verification.sums).toEqual([{ currency: "USD", sumMinor: 0n }]);
  const found = await store.read((view) =>
    Promise.all(acknowledged.map(async (id) => (await view.many(postingsOfTransaction, bank.id, id)).length)),
  );
  expect(found).toEqual(acknowledged.map(() => 2));
  await store.close();
  const database = new DatabaseSync(file());
  expect(database.prepare("PRAGMA integrity_check").all()).toMatchObject([{ integrity_check: "ok" }]);
  database.close();
}
