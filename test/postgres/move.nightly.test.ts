import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { moveStore, openStore, verifyStore } from "../bank-stores.ts";
import { rawCaller, type RawAnswer } from "../e2e/raw-caller.ts";
import { startServer, type RunningServer } from "../e2e/server.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { insertParties } from "../store-contract/samples.ts";
import { emptyDatabase } from "./databases.ts";

const dataDir = mkdtempSync(join(tmpdir(), "ledger-move-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

const addAccount = ({ access }: RunningServer, name: string): Promise<RawAnswer> =>
  rawCaller(access.baseUrl, access)(
    "CustomerService.AddAccount",
    {
      customerID: access.samples.consumerCustomerId,
      name,
      accountType: "SAVINGS",
      currency: "USD",
    },
    `add ${name}`,
  );

async function move(from: string, to: string): Promise<string> {
  const args = ["ledger/cli/main.ts", "move", "--from", from, "--to", to];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return stdout;
  } catch (error) {
    return error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
  }
}

test("a bank moves from SQLite to PostgreSQL, over an interruption, and its clients work on", async () => {
  const { url, dispose } = await emptyDatabase();
  const embedded = await startServer(dataDir);
  const accounts = [];
  for (const name of ["One", "Two"]) accounts.push((await addAccount(embedded, name)).json.result);
  expect(await move(dataDir, url)).toContain("is in use by another process");
  await embedded.stop();
  const before = await verifyStore(`sqlite:${join(dataDir, "ledger.sqlite")}`, {});

  const file = join(dataDir, "ledger.sqlite");
  const interrupted = moveStore({
    file,
    url,
    onProgress: (rows) => {
      if (rows > 40) throw new Error("interrupted");
    },
  });
  await expect(interrupted).rejects.toThrow("interrupted");
  const early = openStore(url, { ...optionsUnderTest, migrate: false });
  await expect(early).rejects.toThrow("is the target of `ledger-server move`");

  expect(await move(dataDir, url)).toContain("every row was compared. The books are sound");
  const { records, auditEntries, root } = before;
  expect(await verifyStore(url, {})).toMatchObject({ isSound: true, records, auditEntries, root });
  const moved = await startServer(dataDir, { LEDGER_DATABASE_URL: url });
  const call = rawCaller(moved.access.baseUrl, moved.access);
  for (const { ID, accountNumber } of accounts) {
    const found = await call("AccountService.GetAccount", { ID });
    expect(found.json.result.account.number).toBe(accountNumber);
  }
  expect((await addAccount(moved, "Two")).json.result).toEqual(accounts[1]);
  expect(await addAccount(moved, "Three")).toMatchObject({ status: 200, code: undefined });
  await moved.stop();
  expect(await verifyStore(url, {})).toMatchObject({
    isSound: true,
    records: { accounts: Number(records["accounts"]) + 1 },
  });
  expect(await move(dataDir, url)).toContain("The target is not empty");
  await dispose();
});

test("a move goes on whose first migration failed", async () => {
  const { url, execute, dispose } = await emptyDatabase();
  const file = join(dataDir, "unmigrated.sqlite");
  await (await openStore(`sqlite:${file}`, optionsUnderTest)).close();
  const moved = () => moveStore({ file, url, onProgress: () => undefined });
  await execute(`CREATE FUNCTION no_room() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
    IF to_regclass('institutions') IS NOT NULL THEN RAISE EXCEPTION 'no room' USING ERRCODE = 'disk_full'; END IF;
  END $$`);
  await execute("CREATE EVENT TRIGGER no_room ON ddl_command_end EXECUTE FUNCTION no_room()");
  await expect(moved()).rejects.toThrow("run the same command again");
  await execute("DROP EVENT TRIGGER no_room");
  expect(await moved()).toMatchObject({ verification: { isSound: true } });
  await dispose();
});

test("a source that changed since the move began is noticed", async () => {
  const { url, dispose } = await emptyDatabase();
  const file = join(dataDir, "changed.sqlite");
  const source = await openStore(`sqlite:${file}`, optionsUnderTest);
  await source.write(insertParties);
  await source.close();
  const interrupted = moveStore({
    file,
    url,
    onProgress: () => {
      throw new Error("interrupted");
    },
  });
  await expect(interrupted).rejects.toThrow("interrupted");
  const database = new DatabaseSync(file);
  database.exec("UPDATE institutions SET name = 'Another'");
  database.close();
  const again = moveStore({ file, url, onProgress: () => undefined });
  await expect(again).rejects.toThrow(
    "institutions: the target has 2 rows and not the content of the 2 of the source",
  );
  await dispose();
});
