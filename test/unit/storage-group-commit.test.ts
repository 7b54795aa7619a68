import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createSealing } from "../../runtime/storage/common/sealing.ts";
import { createGroupCommit } from "../../runtime/storage/sqlite/engine/group-commit.ts";
import { openConnection, type Connection } from "../../runtime/storage/sqlite/connection.ts";
import { writeEngine } from "../../runtime/storage/sqlite/engine/engine.ts";
import { migrate } from "../../runtime/storage/sqlite/index.ts";
import { withTransaction } from "../../runtime/storage/common/transaction.ts";
import { bank } from "../store-contract/samples.ts";
import { migratedFileForEachTest } from "./storage-folder.ts";

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

  test("is not waited for by those who cannot begin one", async () => {
    await withGroups(async ({ connection, transact, institutions }) => {
      connection.rows("PRAGMA busy_timeout = 0", []);
      const other = openConnection(file(), { readOnly: false });
      other.execute("BEGIN IMMEDIATE");
      const results = await Promise.allSettled([transact("a"), transact("b")]);
      expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
      other.execute("ROLLBACK");
      other.close();
      await transact("c");
      expect(institutions()).toEqual(["c"]);
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
          await expect(tx.institutions.insert(bank)).rejects.toThrow(/was rolled back/);
        }),
      );
      await expect(swallowing).rejects.toThrow(/could not commit/);
      expect(institutions()).toEqual([]);
    });
  });
});

interface Groups {
  readonly connection: Connection;
  readonly groups: ReturnType<typeof createGroupCommit>;
  /** Inserts an institution in a transaction of its own. */
  readonly transact: (id: string) => Promise<unknown>;
  /** What another connection sees. */
  readonly institutions: () => readonly unknown[];
  readonly commits: () => number;
}

async function withGroups(use: (groups: Groups) => Promise<void>): Promise<void> {
  await migrate(file());
  const connection = openConnection(file(), { readOnly: false });
  const reader = openConnection(file(), { readOnly: true });
  let commits = 0;
  const groups = createGroupCommit({
    connection,
    betweenCommits: () => undefined,
    beforeCommit: () => undefined,
    afterCommit: () => (commits += 1),
    // A group is open for a time, however long a busy machine takes for it.
    monotonicMs: () => 0,
  });
  try {
    await use({
      connection,
      groups,
      transact: (id) =>
        groups.transact(async () => connection.change("INSERT INTO institutions VALUES (?1, 'x')", [id])),
      institutions: () => reader.rows("SELECT id FROM institutions ORDER BY id", []).flat(),
      commits: () => commits,
    });
  } finally {
    await groups.close();
    reader.close();
    connection.close();
  }
}
