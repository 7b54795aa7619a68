import { readdirSync, statSync, truncateSync } from "node:fs";
import { basename, dirname } from "node:path";
import { expect, test } from "vitest";
import { UnavailableError } from "../../runtime/store/ports/index.ts";
import { createSealing } from "../../runtime/store/common/sealing.ts";
import { backUp } from "../bank-stores.ts";
import { openConnection } from "../../runtime/store/sqlite/connection.ts";
import { createSnapshots } from "../../runtime/store/sqlite/engine/snapshots.ts";
import { type Checkpointer, createWalLimit } from "../../runtime/store/sqlite/log/wal-limit.ts";
import { roomBytes, spareBytes } from "../../runtime/store/sqlite/files.ts";
import { migratedFileForEachTest, tamper } from "./storage-folder.ts";

const file = migratedFileForEachTest();
const target = () => `${file()}.copy`;
const filesOfCopy = () => readdirSync(dirname(file())).filter((name) => name.startsWith(basename(target())));

/** Rows that nothing refers to: the copy takes several steps, after each of which there may be no room. */
const grow = () =>
  tamper(
    file(),
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30) " +
      "INSERT INTO answers (request_hash, result_json, created_at) SELECT i, hex(zeroblob(50000)), 1 FROM n",
  );

function backedUp(freeBytes: () => number) {
  const progress = { copied: () => undefined, verified: () => undefined };
  return backUp(file(), target(), { replace: false, progress, freeBytes });
}

const noRoom = new RegExp(
  String.raw`ledger\.sqlite\.copy cannot be written: the disk would get full: [\d.]+ MiB are still to be copied, and .+ has [\d.]+ MiB free, of which the ` +
    String.raw`service needs 16\.0 MiB for its log\. Nothing was left of it; make room there, or name a file on another disk`,
);

test("a backup is refused before it takes the room that the service on its disk needs", async () => {
  const { size } = statSync(file());
  let looks = 0;
  const free = (bytes: number) => () => {
    looks += 1;
    return bytes;
  };
  await expect(backedUp(free(spareBytes + size - 1))).rejects.toThrow(noRoom);
  expect([looks, filesOfCopy()]).toEqual([1, []]);
  await expect(backedUp(free(spareBytes + size))).resolves.toMatchObject({ bytes: size });
});

test("a backup stops while others take the room, and leaves nothing", async () => {
  grow();
  const { size } = statSync(file());
  let looks = 0;
  const shrinking = () => {
    looks += 1;
    return looks < 3 ? spareBytes + size : spareBytes;
  };
  await expect(backedUp(shrinking)).rejects.toThrow(noRoom);
  expect([looks, filesOfCopy()]).toEqual([3, []]);
});

/** A log of its own, and what the thread that moves it is asked for. */
function limitedLog(freeBytes: () => number) {
  const asked: string[] = [];
  const checkpointer: Checkpointer = {
    checkpoint: async (mode) => {
      asked.push(mode);
      return "all-moved";
    },
    close: async () => undefined,
  };
  const connection = openConnection(file(), { readOnly: false });
  const open = () => openConnection(file(), { readOnly: true });
  const snapshots = createSnapshots({ open, sealing: createSealing(undefined), isOnlyWriter: true });
  const betweenCommits = createWalLimit({ file: file(), connection, checkpointer, snapshots, freeBytes });
  let commits = 0;
  const growBy = async (bytes: number) => {
    const { size } = statSync(`${file()}-wal`, { throwIfNoEntry: false }) ?? { size: 0 };
    while (commits % 16 !== 0 || statSync(`${file()}-wal`).size < size + bytes) {
      commits += 1;
      connection.change("INSERT INTO institutions VALUES (?1, ?2)", [`i${commits}`, "x".repeat(40_000)]);
      await betweenCommits();
    }
  };
  const close = async () => {
    await snapshots.close();
    connection.close();
  };
  return { asked, betweenCommits, growBy, close };
}

test("a log is started over early while its disk is short of room, not each time", async () => {
  let free = spareBytes;
  const { asked, growBy, close } = limitedLog(() => free);
  await growBy(2 * roomBytes);
  expect(asked).toEqual([]);
  free -= 1;
  await growBy(1);
  expect(asked).toEqual(["TRUNCATE"]);
  await growBy(1);
  expect(asked).toEqual(["TRUNCATE"]);
  await growBy(2 * roomBytes);
  expect(asked.length).toBeGreaterThan(1);
  await close();
});

test.each(["disk-full", "disk-fault"] as const)(
  "a log is started over at the first commit that is lost to a %s, though the disk may say it has room",
  async (reason) => {
    const { asked, betweenCommits, growBy, close } = limitedLog(() => Infinity);
    const lost = new UnavailableError(reason);
    await growBy(1);
    await betweenCommits(lost);
    expect(asked).toEqual([]);
    await growBy(2 * roomBytes);
    await betweenCommits(lost);
    expect(asked).toEqual(["TRUNCATE"]);
    for (let times = 0; times < 15; times += 1) await betweenCommits(lost);
    expect(asked).toEqual(["TRUNCATE"]);
    await betweenCommits();
    await betweenCommits(lost);
    expect(asked).toEqual(["TRUNCATE", "TRUNCATE"]);
    await close();
  },
);

test.each(["damaged", "file-replaced"] as const)(
  "the log of a file that is %s is left alone",
  async (reason) => {
    const { asked, betweenCommits, growBy, close } = limitedLog(() => 0);
    await growBy(roomBytes / 2);
    const { size } = statSync(`${file()}-wal`);
    truncateSync(`${file()}-wal`, size + 2 * roomBytes);
    for (let times = 0; times < 48; times += 1) await betweenCommits(new UnavailableError(reason));
    expect(asked).toEqual([]);
    truncateSync(`${file()}-wal`, size);
    await close();
  },
);
