import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MovingError } from "../../runtime/ports/index.ts";
import {
  openDirectory,
  standardConnections,
  verifyStore,
  type Directory,
} from "../../runtime/storage/index.ts";
import { abortMove, moveInstitution } from "../../runtime/storage/move/institution/index.ts";
import { accountWith, bank, insertParties, ledgerFindings } from "../store-contract/samples.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { testDatabase, type TestDatabase } from "./databases.ts";

/** Two databases that are served while a process of its own moves the bank from one to the other, and is killed. */
let first: TestDatabase;
let west: TestDatabase;
let directory: Directory;
let moving: ChildProcess | undefined;
let added: string[];
const locks: pg.Client[] = [];

beforeEach(async () => {
  first = await testDatabase();
  west = await testDatabase();
  // A write that meets what the test holds ends by the limits that the service has.
  const options = { ...optionsUnderTest, connections: standardConnections };
  directory = await openDirectory(databases(), options);
  added = [];
  await directory.store.transact(insertParties, { about });
  for (let count = 0; count < 20; count += 1) await add();
});
afterEach(async () => {
  await killed();
  await released();
  await directory.store.close();
  for (const { dispose, execute } of [first, west]) {
    await execute("UPDATE gate SET paused_until = 0, noted_until = 0");
    await dispose();
  }
});

const about = { institutionId: bank.id };
const databases = () => [
  { name: "first", url: first.url },
  { name: "west", url: west.url },
];

async function add(): Promise<void> {
  const id = `account-${added.length + 100}`;
  await directory.store.transact((tx) => tx.accounts.insert(accountWith(id, { number: id })), { about });
  added.push(id);
}

function startMove(): void {
  moving = spawn(process.execPath, ["ledger/cli/main.ts", "move", "--institution", bank.id, "--to", "west"], {
    env: {
      ...process.env,
      LEDGER_DATABASE_URL: first.url,
      LEDGER_DATABASE_OTHERS: `west=${west.url}`,
      LEDGER_SEAL_KEY: "",
    },
    stdio: "ignore",
  });
}

async function killed(): Promise<void> {
  if (moving === undefined || moving.exitCode !== null || moving.signalCode !== null) return;
  const ended = once(moving, "exit");
  moving.kill("SIGKILL");
  await ended;
}

/** Holds rows or a table, so that the move waits at this place. */
async function hold(database: TestDatabase, sql: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  locks.push(client);
  await client.connect();
  await client.query("BEGIN");
  await client.query(sql);
  return client;
}

/** Lets everything go on. PostgreSQL ends the sessions of a killed process only once they no longer wait. */
async function released(): Promise<void> {
  for (const client of locks.splice(0)) await client.end();
  if (moving?.signalCode !== "SIGKILL") return;
  for (const { execute } of [first, west]) await expect.poll(async () => execute(sessionsSql)).toEqual([]);
}

/** Until the move waits for a lock in a database. */
async function untilMoveWaits({ execute }: TestDatabase): Promise<void> {
  const waiting =
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'ledger-rpc move' " +
    "AND wait_event_type = 'Lock'";
  await expect.poll(async () => (await execute(waiting)).length).toBe(1);
}

const sessionsSql =
  "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'ledger-rpc move'";

const untilNoted = () =>
  expect
    .poll(async () => Number((await first.execute("SELECT noted_until FROM gate WHERE id = 1"))[0]?.[0]))
    .toBeGreaterThan(0);

const bankSql = `SELECT 1 FROM institutions WHERE id = '${bank.id}' FOR SHARE`;

/** Has the process at a stage, where `writes` says whether the bank's writes go on. */
const stages: readonly {
  readonly name: string;
  readonly writes: boolean;
  readonly reach: () => Promise<void>;
}[] = [
  {
    name: "before it notes changes",
    writes: true,
    reach: async () => {
      await hold(first, bankSql);
      startMove();
      await untilMoveWaits(first);
    },
  },
  {
    name: "while it copies",
    writes: true,
    reach: async () => {
      await hold(west, "LOCK TABLE accounts IN SHARE MODE");
      startMove();
      await untilMoveWaits(west);
    },
  },
  {
    name: "before the pause",
    writes: true,
    reach: async () => {
      const copying = await hold(west, "LOCK TABLE accounts IN SHARE MODE");
      startMove();
      await untilMoveWaits(west);
      await add();
      await hold(first, bankSql);
      await copying.query("COMMIT");
      await untilMoveWaits(first);
    },
  },
  {
    name: "in the pause",
    writes: false,
    reach: async () => {
      // The bank has been there: its row can be held before the last copy.
      await moveInstitution({ ...about, databases: databases(), to: "west", onProgress: () => undefined });
      await moveInstitution({ ...about, databases: databases(), to: "first", onProgress: () => undefined });
      await hold(west, bankSql);
      startMove();
      await untilMoveWaits(west);
    },
  },
  {
    name: "after it has left, before it arrives",
    writes: false,
    reach: async () => {
      await hold(west, "LOCK TABLE accounts IN SHARE MODE");
      startMove();
      await untilMoveWaits(west);
      await killed();
      await first.execute(
        "UPDATE institution_places SET state = 'MOVED', database_name = 'west', paused_until = 0, noted_until = 0",
      );
    },
  },
];

async function requireServedFrom(name: string): Promise<void> {
  await add();
  const part = directory.parts.get(name);
  const found = await directory.store.read(
    async (view) => Promise.all(added.map((id) => view.accounts.find(bank.id, id))),
    about,
  );
  expect(found.map((account) => account?.id)).toEqual(added);
  // The part itself answers: no other database is asked.
  expect((await part?.read((view) => view.accounts.find(bank.id, added.at(-1) ?? ""), about))?.id).toBe(
    added.at(-1),
  );
  for (const { url, execute } of [first, west]) {
    expect(ledgerFindings(await verifyStore(url, {}))).toEqual([]);
    expect(await execute("SELECT id FROM moved_changes")).toEqual([]);
    expect(await execute("SELECT 1 FROM gate WHERE paused_until > 0 OR noted_until > 0")).toEqual([]);
  }
}

test.each(stages)("a move that is killed $name is taken back", async ({ reach, writes }) => {
  await reach();
  if (writes) await add();
  else await expect(add()).rejects.toThrow(MovingError);
  await killed();
  await released();
  expect(await abortMove({ ...about, databases: databases() })).toEqual({ from: "first", to: "west" });
  await requireServedFrom("first");
  expect(await first.execute("SELECT state FROM institution_places")).toEqual([]);
  expect(await abortMove({ ...about, databases: databases() })).toEqual({ from: "first", to: undefined });
});

test.each(stages)("a move that is killed $name goes on when it is run again", async ({ reach, writes }) => {
  await reach();
  if (writes) await add();
  await killed();
  await released();
  if (writes) await add();
  startMove();
  expect(await once(moving ?? expect.unreachable(), "exit")).toEqual([0, null]);
  await requireServedFrom("west");
});

test("a second move, and the abort of one that is under way, are refused", async () => {
  await hold(west, "LOCK TABLE accounts IN SHARE MODE");
  startMove();
  await untilMoveWaits(west);
  await untilNoted();
  const again = moveInstitution({
    ...about,
    databases: databases(),
    to: "west",
    onProgress: () => undefined,
  });
  await expect(again).rejects.toThrow("Another move is under way");
  await expect(abortMove({ ...about, databases: databases() })).rejects.toThrow("Another move is under way");
  await released();
  expect(await once(moving ?? expect.unreachable(), "exit")).toEqual([0, null]);
  await requireServedFrom("west");
});
