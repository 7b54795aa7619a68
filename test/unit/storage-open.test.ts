import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { schema } from "../../ledger/schema.ts";
import { migrate, openSqliteReader, openSqliteStore, openStore } from "../bank-stores.ts";
import { StoreOpenError, type MigrationStep } from "../../runtime/store/index.ts";
import {
  applyMigrations,
  pendingMigrations,
  versions as versionsOf,
} from "../../runtime/store/sqlite/schema.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { bank, insertParties, user } from "../store-contract/samples.ts";
import { fileForEachTest, tamper } from "./storage-folder.ts";
import { userByName, institutionById } from "../../runtime/store/tables/index.ts";

const versions = versionsOf(schema);
const file = fileForEachTest();

describe("opening a store", () => {
  test("creates file and folder for their owner alone, side files too", async () => {
    const store = await openSqliteStore({ file: file(), migrate: true });
    await store.write(insertParties);
    const modes = readdirSync(dirname(file())).map(
      (name) => statSync(join(dirname(file()), name)).mode & 0o777,
    );
    expect(modes.length).toBeGreaterThan(2);
    expect(new Set(modes)).toEqual(new Set([0o600]));
    expect(statSync(dirname(file())).mode & 0o777).toBe(0o700);
    await store.close();
  });

  test("takes a file that others could read away from them", async () => {
    await migrate(file());
    tamper(file(), "VACUUM");
    const { chmodSync } = await import("node:fs");
    chmodSync(file(), 0o644);
    await (await openSqliteStore({ file: file(), migrate: true })).close();
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  test("leaves one file behind when closed, beside its lock", async () => {
    const store = await openSqliteStore({ file: file(), migrate: true });
    await store.write(insertParties);
    await store.read((view) => view.one(userByName, user.userName));
    await store.close();
    await store.close();
    expect(readdirSync(dirname(file()))).toEqual(["ledger.sqlite", "ledger.sqlite.lock"]);
    expect(statSync(`${file()}.lock`).size).toBe(0);
  });

  test("without leave to migrate asks for it, and creates nothing", async () => {
    await expect(openSqliteStore({ file: file(), migrate: false })).rejects.toThrow(
      /does not exist: run `ledger-server migrate`/,
    );
    expect(existsSync(dirname(file()))).toBe(false);
    mkdirSync(dirname(file()));
    writeFileSync(file(), "");
    await expect(openSqliteStore({ file: file(), migrate: false })).rejects.toThrow(
      /is empty: where it held books, restore .* for a new one run `ledger-server migrate`/,
    );
    expect(await migrate(file())).toMatchObject([{ name: "schema" }]);
    expect(await migrate(file())).toEqual([]);
    await (await openSqliteStore({ file: file(), migrate: false })).close();
  });

  test.each([true, false])("refuses a file written by a newer version (migrate: %s)", async (migrates) => {
    await migrate(file());
    tamper(file(), "INSERT INTO migrations VALUES (99, 'future', 'x', 0)");
    await expect(openSqliteStore({ file: file(), migrate: migrates })).rejects.toThrow(
      /newer version: it has migration 99/,
    );
  });

  test("refuses another program's database and leaves it as it was", async () => {
    mkdirSync(dirname(file()));
    tamper(file(), "CREATE TABLE customers (id)");
    const before = readFileSync(file());
    await expect(openSqliteStore({ file: file(), migrate: true })).rejects.toThrow(/another program/);
    expect(readFileSync(file())).toEqual(before);
  });

  test("refuses a file that is no database and leaves it as it was", async () => {
    mkdirSync(dirname(file()));
    writeFileSync(file(), "hello ".repeat(1_000));
    await expect(openSqliteStore({ file: file(), migrate: true })).rejects.toThrow(/no SQLite database/);
    expect(readFileSync(file(), "utf8")).toBe("hello ".repeat(1_000));
  });

  test("is refused while it is open, in this process or another, and not afterwards", async () => {
    const store = await openSqliteStore({ file: file(), migrate: true });
    await expect(openSqliteStore({ file: file(), migrate: false })).rejects.toThrow(StoreOpenError);
    await expect(migrate(file())).rejects.toThrow(/in use by another process/);
    expect(await openElsewhere(file())).toMatch(/StoreOpenError: .* is in use by another process/);
    await store.close();
    expect(await openElsewhere(file())).toBe("opened");
  });

  test("is refused by another name, too: the lock and the log are beside the file that a link leads to", async () => {
    const link = join(dirname(dirname(file())), "link.sqlite");
    await migrate(file());
    symlinkSync(file(), link);
    const options = { ...optionsUnderTest, migrate: false };
    const store = await openStore(`sqlite:${file()}`, options);
    await expect(openStore(`sqlite:${link}`, options)).rejects.toThrow(/in use by another process/);
    await store.close();
    const byLink = await openStore(`sqlite:${link}`, options);
    await expect(openStore(`sqlite:${file()}`, options)).rejects.toThrow(/in use by another process/);
    await byLink.close();
  });
});

describe("a migration", () => {
  const failing = {
    number: versions.baseline + versions.migrations.length + 1,
    name: "failing",
    sql: "CREATE TABLE extra (id TEXT) STRICT; SELECT nonsense",
  };

  const versionsWith = ({ name, sql }: MigrationStep) => ({
    ...versions,
    migrations: [...versions.migrations, { name, sql, checksum: sql, columns: [] }],
  });

  test("that fails is undone as a whole and can be tried again", async () => {
    await migrate(file());
    const database = new DatabaseSync(file());
    expect(() => applyMigrations(database, "f", versionsWith(failing))).toThrow(
      `migration ${failing.number} (failing) failed and was undone`,
    );
    expect(pendingMigrations(database, "f", versionsWith(failing)).map(({ step }) => step)).toEqual([
      failing,
    ]);
    const mended = { ...failing, sql: "CREATE TABLE extra (id TEXT) STRICT" };
    expect(applyMigrations(database, "f", versionsWith(mended))).toEqual([mended]);
    expect(() => pendingMigrations(database, "f", versionsWith(failing))).toThrow(
      `migration ${failing.number} (failing) with another content`,
    );
    database.close();
  });

  test("is recorded in a new file, whose schema has it", () => {
    const database = new DatabaseSync(":memory:");
    const mended = { ...failing, sql: "CREATE TABLE extra (id TEXT) STRICT" };
    applyMigrations(database, "f", versionsWith(mended));
    expect(pendingMigrations(database, "f", versionsWith(mended))).toEqual([]);
    database.close();
  });

  test("is numbered on from the baseline without gaps", async () => {
    await migrate(file());
    const database = new DatabaseSync(file());
    const numbers = database.prepare("SELECT number FROM migrations ORDER BY number").all();
    expect(numbers.map(({ number }) => number)).toEqual(
      [versions.whole, ...versions.migrations].map((_, index) => versions.baseline + index),
    );
    database.close();
  });
});

describe("a reader beside the writer", () => {
  test("sees each commit once it is made, and cannot write", async () => {
    const store = await openSqliteStore({ file: file(), migrate: true });
    const reader = await openSqliteReader({ file: file() });
    expect(await reader.read((view) => view.one(institutionById, bank.id))).toBeUndefined();
    await store.write(insertParties);
    expect(await reader.read((view) => view.one(institutionById, bank.id))).toEqual(bank);
    expect(await reader.verify()).toMatchObject({ records: { accounts: 1, postings: 0 } });
    await expect(reader.write(async () => 1)).rejects.toThrow(/reading only/);
    await reader.close();
    await store.close();
  });

  test("needs a file that is up to date", async () => {
    await expect(openSqliteReader({ file: file() })).rejects.toThrow(/does not exist/);
  });
});

async function openElsewhere(name: string): Promise<string> {
  const module = new URL("../bank-stores.ts", import.meta.url).href;
  const script = `
    import { openSqliteStore } from ${JSON.stringify(module)};
    const store = await openSqliteStore({ file: ${JSON.stringify(name)}, migrate: false }).catch(String);
    console.log(typeof store === "string" ? store : "opened");
    await store.close?.();`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  return stdout.trim();
}
