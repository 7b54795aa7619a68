import type { DatabaseSync } from "node:sqlite";
import { timeBounds, type TimeSource } from "../contract/times.ts";
import type { AuthIdentities } from "../auth/port.ts";
import type { Repetition, RepetitionKey, Repetitions, Store } from "../service/index.ts";

/** The handler's context: the database, in the transaction of the call. */
export interface SqliteView {
  readonly db: DatabaseSync;
}

/** It need not know the call. */
export interface SqliteStore extends Store<SqliteView, SqliteView> {
  read<Result>(run: (view: SqliteView) => Promise<Result>): Promise<Result>;
  write<Result>(run: (transaction: SqliteView) => Promise<Result>): Promise<Result>;
}

export interface SqliteStoreOptions {
  /** Who repeats a call with an `Idempotency-Key`. Must not be the same for two callers; `auth` is empty where a method is open. */
  ownerOf(auth: AuthIdentities): string;
  /** How long results are kept for repetitions, also where the clock is set meanwhile. Default 24. */
  readonly keptHours?: number;
  /** Where it gives no `elapsedMs`, it is taken to be a clock that is never set. */
  readonly clock?: Pick<TimeSource, "now"> & Partial<TimeSource>;
}

const table = `
CREATE TABLE IF NOT EXISTS ledger_rpc_repetitions (
  interface TEXT NOT NULL,
  owner TEXT NOT NULL,
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  result TEXT NOT NULL,
  kept_at INTEGER NOT NULL,
  PRIMARY KEY (interface, owner, key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS ledger_rpc_repetitions_kept_at ON ledger_rpc_repetitions (kept_at);
`;

/**
 * A store over a SQLite database of Node (22.13 or later). Each call has a transaction, and a table of its own,
 * `ledger_rpc_repetitions`, answers repeated calls. A connection has one transaction at a time, so calls run one
 * after the other. Several processes share a file if each gives its connection a `timeout`.
 */
export function sqliteStore(db: DatabaseSync, options: SqliteStoreOptions): SqliteStore {
  db.exec(table);
  const view: SqliteView = { db };
  let last: Promise<unknown> = Promise.resolve();

  /** Runs after everything that was asked for before. */
  function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    const turn = last.then(run, run);
    last = turn.catch(() => undefined);
    return turn;
  }

  return {
    read: (run) =>
      inTurn(async () => {
        db.exec("PRAGMA query_only = 1; BEGIN");
        try {
          return await run(view);
        } finally {
          db.exec("ROLLBACK; PRAGMA query_only = 0");
        }
      }),
    write: (run) =>
      inTurn(async () => {
        db.exec("BEGIN IMMEDIATE");
        try {
          const result = await run(view);
          db.exec("COMMIT");
          return result;
        } catch (error) {
          rollBack(db);
          throw error;
        }
      }),
    repetitions: repetitionsIn(db, options),
  };
}

/** A full disk may have ended the transaction already. */
function rollBack(db: DatabaseSync): void {
  try {
    db.exec("ROLLBACK");
  } catch {
    // The transaction has ended: nothing of it is left.
  }
}

const machineClock: TimeSource = { now: () => Date.now(), elapsedMs: () => performance.now() };

function repetitionsIn(db: DatabaseSync, options: SqliteStoreOptions): Repetitions<SqliteView> {
  const { keptHours = 24, clock = machineClock } = options;
  if (!(keptHours > 0)) throw new RangeError(`keptHours is ${keptHours}: give a number above 0`);
  const find = db.prepare(
    "SELECT request_hash, result FROM ledger_rpc_repetitions WHERE interface = ? AND owner = ? AND key = ? AND kept_at > ?",
  );
  const forget = db.prepare("DELETE FROM ledger_rpc_repetitions WHERE kept_at <= ?");
  const keep = db.prepare("INSERT OR IGNORE INTO ledger_rpc_repetitions VALUES (?, ?, ?, ?, ?, ?)");
  const keptMs = keptHours * 3_600_000;
  const elapsedMs = (): number => clock.elapsedMs?.() ?? clock.now();
  const bounds = timeBounds({ now: () => clock.now(), elapsedMs }, keptMs);
  return {
    ownerOf: (auth) => options.ownerOf(auth),
    async find(_transaction, key) {
      const row = find.get(...partsOf(key), bounds().earliestMs - keptMs);
      return row === undefined ? undefined : repetitionOf(row);
    },
    async keep(_transaction, key, { requestHash, resultText }) {
      const { earliestMs, latestMs } = bounds();
      forget.run(earliestMs - keptMs);
      const { changes } = keep.run(...partsOf(key), requestHash, resultText, latestMs);
      return Number(changes) === 1;
    },
  };
}

function partsOf({ interfaceName, owner, key }: RepetitionKey): readonly [string, string, string] {
  return [interfaceName, owner, key];
}

function repetitionOf(row: Readonly<Record<string, unknown>>): Repetition {
  return { requestHash: String(row["request_hash"]), resultText: String(row["result"]) };
}
