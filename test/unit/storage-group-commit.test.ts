import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createSealing } from "../../runtime/store/common/sealing.ts";
import { createGroupCommit } from "../../runtime/store/sqlite/engine/group-commit.ts";
import { openConnection, type Connection } from "../../runtime/store/sqlite/connection.ts";
import { writeEngine } from "../../runtime/store/sqlite/engine/engine.ts";
import { migrate } from "../bank-stores.ts";
import { withTransaction } from "../../runtime/store/common/engine.ts";
import { bank } from "../store-contract/samples.ts";
import { migratedFileForEachTest } from "./storage-folder.ts";
import { institutions as institutionsTable } from "../../runtime/store/tables/index.ts";

const file = migratedFileForEachTest();

describe("a commit", () => {
  test("is shared by the transactions of one moment", async () => {
    await withGroups(async ({ transact, commits }) => {
      await Promise.all(Array.from({ length: 40 }, (_, index) => transact(`i${index}`)));
      expect(commits()).toBe(1);
    });
  });

  test("is shared by the transactions that one turn of the event loop asks for", async () => {
    await withGroups(async ({ transact, commits }) => {
      const asked = Array.from({ length: 10 }, async (_, index) => {
        await turn();
        await transact(`i${index}`);
      });
      await Promise.all(asked);
      expect(commits()).toBe(1);
    });
  });

  test("is followed by a turn of the event loop, however long its transactions took", async () => {
    await withGroups(async ({ groups, commits, clock }) => {
      const seen: number[] = [];
      const long = (): Promise<void> =>
        groups.transact(async () => {
          clock.nowMs += 1_000;
          setImmediate(() => seen.push(commits()));
        });
      await Promise.all([long(), long(), long()]);
      await turn();
      expect(seen).toEqual([1, 2, 3]);
    });
  });

  test("gives callers turns, however many transactions one of them asks for", async () => {
    await withGroups(async ({ groups }) => {
      const order: string[] = [];
      const ask = (caller?: string) =>
        groups.transact(
          async () => void order.push(caller ?? "nobody"),
          caller === undefined ? {} : { caller },
        );
      await Promise.all([...Array.from({ length: 112 }, () => ask("greedy")), ask("modest"), ask(), ask()]);
      // The first one has begun before the others were asked for.
      expect(order.slice(1, 6)).toEqual(["greedy", "modest", "nobody", "greedy", "nobody"]);
      expect(order).toHaveLength(115);
    });
  });

  test("that fails is reported to all that shared it, and later ones go on", async () => {
    await withGroups(async ({ connection, groups, transact, institutions }) => {
      const orphan = groups.transact(async () => {
        connection.execute("PRAGMA defer_foreign_keys = ON");
        connection.change("INSERT INTO api_keys VALUES ('k', 'nobody', 'h', 0, NULL, NULL)", []);
      });
      const refused = groups.transact(async () => {
        throw new Error("because of what the first wrote");
      });
      const results = await Promise.allSettled([orphan, transact("a"), refused]);
      for (const result of results) {
        expect(result).toMatchObject({ status: "rejected", reason: { message: /could not commit/ } });
      }
      expect(institutions()).toEqual([]);
      await transact("b");
      expect(institutions()).toEqual(["b"]);
    });
  });

  test("waits for the disk, unless all that it holds is repeatable", async () => {
    await withGroups(async ({ connection, groups, commits }) => {
      const waits = async () => connection.row("PRAGMA synchronous", [])?.[0] === 2n;
      const repeatable = () => groups.transact(waits, { isRepeatable: true });
      const lasting = () => groups.transact(waits);
      expect(await Promise.all([repeatable(), repeatable()])).toEqual([false, false]);
      expect(commits()).toBe(1);
      expect(await Promise.all([lasting(), repeatable()])).toEqual([true, true]);
      expect(commits()).toBe(2);
      const begun = repeatable();
      await turn();
      expect(await Promise.all([begun, lasting()])).toEqual([false, true]);
      expect(await lasting()).toBe(true);
    });
  });

  test("is lost with the transaction that SQLite itself rolled back", async () => {
    await withGroups(async ({ connection, groups, transact, institutions }) => {
      const first = transact("a");
      const broken = groups.transact(async () => {
        connection.execute("ROLLBACK");
        throw new Error("disk full");
      });
      for (const result of await Promise.allSettled([first, broken])) {
        expect(result).toMatchObject({ status: "rejected", reason: { cause: { message: "disk full" } } });
      }
      await transact("b");
      expect(institutions()).toEqual(["b"]);
    });
  });
});

describe("a transaction that SQLite has rolled back", () => {
  test("writes nothing more, even if its work swallows the failure", async () => {
    await withGroups(async ({ connection, groups, institutions }) => {
      const engine = writeEngine(connection, createSealing(undefined));
      const swallowing = groups.transact(() =>
        withTransaction(engine, async (tx) => {
          connection.execute("ROLLBACK");
          await expect(tx.insert(institutionsTable, bank)).rejects.toThrow(/was rolled back/);
        }),
      );
      await expect(swallowing).rejects.toThrow(/could not commit/);
      expect(institutions()).toEqual([]);
    });
  });
});

describe("a lock that another program holds", () => {
  test("is waited for while everything else goes on, and the waiting share a commit", async () => {
    await withLock(async ({ connection, transact, institutions, commits, release }) => {
      // SQLite itself would wait within the turn.
      expect(connection.row("PRAGMA busy_timeout", [])).toEqual([0n]);
      const order: string[] = [];
      const waiting = ["a", "b"].map((id) => transact(id).then(() => order.push(id)));
      await turn();
      order.push(`read ${institutions().length}`);
      release();
      await Promise.all(waiting);
      expect(order).toEqual(["read 0", "a", "b"]);
      expect([institutions(), commits()]).toEqual([["a", "b"], 1]);
    });
  });

  test("refuses each transaction once it has waited two seconds, and none that came later", async () => {
    await withLock(async ({ transact, institutions, release, lost, clock }) => {
      const first = transact("a");
      clock.nowMs = 1;
      const second = transact("b");
      clock.nowMs = 2_000;
      await expect(first).rejects.toMatchObject({ reason: "database-locked", retryAfterSeconds: 1 });
      expect(lost).toEqual([expect.objectContaining({ reason: "database-locked" })]);
      release();
      await second;
      expect(institutions()).toEqual(["b"]);
    });
  });

  test("refuses what waited too long of every caller, and nothing else of theirs", async () => {
    await withLock(async ({ groups, release, clock }) => {
      const ask = (caller: string) =>
        groups.transact(async () => clock.nowMs, { caller }).catch(() => "refused");
      const early = [ask("one"), ask("other")];
      clock.nowMs = 1;
      const late = [ask("one"), ask("other")];
      clock.nowMs = 2_000;
      expect(await Promise.all(early)).toEqual(["refused", "refused"]);
      release();
      expect(await Promise.all(late)).toEqual([2_000, 2_000]);
    });
  });
});

interface Locked extends Groups {
  /** Ends the other program's transaction. */
  release(): void;
}

async function withLock(use: (locked: Locked) => Promise<void>): Promise<void> {
  await withGroups(async (groups) => {
    const other = openConnection(file(), { readOnly: false });
    other.execute("BEGIN IMMEDIATE");
    try {
      await use({ ...groups, release: () => other.execute("ROLLBACK") });
    } finally {
      other.close();
    }
  });
}

interface Groups {
  readonly connection: Connection;
  readonly groups: ReturnType<typeof createGroupCommit>;
  /** Inserts an institution in a transaction of its own. */
  readonly transact: (id: string) => Promise<unknown>;
  /** What another connection sees. */
  readonly institutions: () => readonly unknown[];
  readonly commits: () => number;
  /** Why groups were lost, or transactions refused. */
  readonly lost: readonly unknown[];
  readonly clock: { nowMs: number };
}

async function withGroups(use: (groups: Groups) => Promise<void>): Promise<void> {
  await migrate(file());
  const connection = openConnection(file(), { readOnly: false });
  const reader = openConnection(file(), { readOnly: true });
  let commits = 0;
  const lost: unknown[] = [];
  // A group is open for a time, however long a busy machine takes for it.
  const clock = { nowMs: 0 };
  const groups = createGroupCommit({
    connection,
    betweenCommits: () => undefined,
    beforeCommit: () => undefined,
    afterCommit: () => (commits += 1),
    monotonicMs: () => clock.nowMs,
    onLost: (error) => lost.push(error),
  });
  try {
    await use({
      connection,
      groups,
      transact: (id) =>
        groups.transact(async () => connection.change("INSERT INTO institutions VALUES (?1, 'x')", [id])),
      institutions: () => reader.rows("SELECT id FROM institutions ORDER BY id", []).flat(),
      commits: () => commits,
      lost,
      clock,
    });
  } finally {
    await groups.close();
    reader.close();
    connection.close();
  }
}
