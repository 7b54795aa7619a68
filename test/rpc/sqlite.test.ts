import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { omitUndefined } from "../../runtime/contract/index.ts";
import { sqliteStore } from "../../runtime/pipeline/sqlite-store.ts";

const key = { interfaceName: "tasks", owner: "ann", key: "k1" };
const repetition = { requestHash: "h", resultText: "1" };

interface Opening {
  readonly keptHours?: number;
  readonly now?: () => number;
  readonly elapsedMs?: () => number;
}

function opened(options: Opening = {}) {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE TABLE notes (text TEXT NOT NULL)");
  const { keptHours, now = () => 0, elapsedMs } = options;
  const hours = keptHours === undefined ? {} : { keptHours };
  const store = sqliteStore(db, { ownerOf: () => "ann", clock: omitUndefined({ now, elapsedMs }), ...hours });
  const { repetitions } = store;
  if (repetitions === undefined) throw new Error("the store has no repetitions");
  const notes = () =>
    db
      .prepare("SELECT text FROM notes ORDER BY rowid")
      .all()
      .map(({ text }) => text);
  return { db, store, repetitions, notes };
}

describe("a store over SQLite", () => {
  test("keeps what a call has written, and nothing of one that failed", async () => {
    const { store, notes } = opened();
    await store.write(async ({ db }) => db.exec("INSERT INTO notes VALUES ('kept')"));
    const failed = store.write(async ({ db }) => {
      db.exec("INSERT INTO notes VALUES ('lost')");
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect(notes()).toEqual(["kept"]);
  });

  test("runs calls one after the other, in the order in which they came", async () => {
    const { store, notes } = opened();
    const slow = Promise.withResolvers<void>();
    const first = store.write(async ({ db }) => {
      await slow.promise;
      db.exec("INSERT INTO notes VALUES ('first')");
    });
    const second = store.write(async ({ db }) => db.exec("INSERT INTO notes VALUES ('second')"));
    const seen = store.read(async () => notes());
    slow.resolve();
    await Promise.all([first, second]);
    expect(await seen).toEqual(["first", "second"]);
  });

  test("lets a read write nothing", async () => {
    const { store, notes } = opened();
    const writing = store.read(async ({ db }) => db.exec("INSERT INTO notes VALUES ('read')"));
    await expect(writing).rejects.toThrow("readonly");
    await store.write(async ({ db }) => db.exec("INSERT INTO notes VALUES ('written')"));
    expect(notes()).toEqual(["written"]);
  });

  test("goes on after a transaction that the database ended by itself", async () => {
    const { store, notes } = opened();
    const ended = store.write(async ({ db }) => {
      db.exec("ROLLBACK");
      throw new Error("disk is full");
    });
    await expect(ended).rejects.toThrow("disk is full");
    await store.write(async ({ db }) => db.exec("INSERT INTO notes VALUES ('later')"));
    expect(notes()).toEqual(["later"]);
  });

  test("remembers a repetition for its caller, once, until its time is over", async () => {
    let nowMs = 0;
    const { db, repetitions } = opened({ keptHours: 1, now: () => nowMs });
    expect(await repetitions.keep({ db }, key, repetition)).toBe(true);
    expect(await repetitions.keep({ db }, key, { ...repetition, resultText: "2" })).toBe(false);
    expect(await repetitions.find({ db }, key)).toEqual(repetition);
    expect(await repetitions.find({ db }, { ...key, owner: "eve" })).toBeUndefined();
    nowMs = 3_600_000;
    expect(await repetitions.find({ db }, key)).toBeUndefined();
    expect(await repetitions.keep({ db }, key, { ...repetition, resultText: "3" })).toBe(true);
    expect(db.prepare("SELECT count(*) AS rows FROM ledger_rpc_repetitions").get()).toEqual({ rows: 1 });
  });

  test.each([
    ["ahead", 2],
    ["back", -2],
  ])("remembers it where the clock is set %s and right again meanwhile", async (_where, hours) => {
    const hour = 3_600_000;
    let [nowMs, passedMs] = [100 * hour, 0];
    const now = () => nowMs + passedMs;
    const { db, repetitions } = opened({ keptHours: 1, now, elapsedMs: () => passedMs });
    expect(await repetitions.keep({ db }, key, repetition)).toBe(true);
    nowMs += hours * hour;
    expect(await repetitions.find({ db }, key)).toEqual(repetition);
    const wrong = { ...key, key: "while it is wrong" };
    expect(await repetitions.keep({ db }, wrong, repetition)).toBe(true);
    nowMs -= hours * hour;
    passedMs = hour - 1;
    for (const each of [key, wrong]) expect(await repetitions.find({ db }, each)).toEqual(repetition);
    passedMs = 4 * hour;
    expect(await repetitions.find({ db }, key)).toBeUndefined();
  });
});
