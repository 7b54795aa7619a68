import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { sqliteStore } from "../../rpc/sqlite.ts";

const key = { interfaceName: "tasks", owner: "ann", key: "k1" };
const repetition = { requestHash: "h", resultText: "1" };

function opened(options: { readonly keptHours?: number; readonly now?: () => number } = {}) {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE TABLE notes (text TEXT NOT NULL)");
  const { keptHours, now = () => 0 } = options;
  const hours = keptHours === undefined ? {} : { keptHours };
  const store = sqliteStore(db, { ownerOf: () => "ann", clock: { now }, ...hours });
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
});
