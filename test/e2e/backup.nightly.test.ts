import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ledgerServerBeside } from "./ledger-server-beside.ts";
import { rawCaller } from "./raw-caller.ts";
import { startServer } from "./server.ts";

const folder = mkdtempSync(join(tmpdir(), "ledger-backup-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a backup", () => {
  test("taken while the service writes is one state, holds all that was acknowledged before, and restores", async () => {
    const dataDir = join(folder, "busy");
    const backups = join(folder, "backups");
    mkdirSync(backups);
    const server = await startServer(dataDir);
    const call = rawCaller(server.access.baseUrl, server.access);
    const add = (index: number) =>
      call("CustomerService.AddAccount", {
        customerID: server.access.samples.consumerCustomerId,
        name: `Backed up ${index}`,
        accountType: "SAVINGS",
        currency: "USD",
      });
    const before: string[] = [];
    for (let index = 0; index < 20; index += 1) {
      const { status, json } = await add(index);
      expect(status).toBe(200);
      before.push(json.result.accountNumber);
    }
    const done = new AbortController();
    const writing = (async () => {
      let written = 0;
      for (; !done.signal.aborted; written += 1) expect((await add(100 + written)).status).toBe(200);
      return written;
    })();
    const backed = await ledgerServerBeside(["backup", backups, "--json"], dataDir);
    done.abort();
    expect(await writing).toBeGreaterThan(0);
    expect(backed.err).toBe("");
    const made = JSON.parse(backed.out);
    expect(made).toMatchObject({
      sealKeyId: expect.stringMatching(/^[0-9a-f]{16}$/),
      root: expect.any(String),
    });
    expect(readdirSync(backups)).toHaveLength(1);
    expect(statSync(made.file).mode & 0o777).toBe(0o600);

    const refused = await ledgerServerBeside(["restore", made.file], dataDir);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("in use by another process") });
    await server.stop();

    const restored = await ledgerServerBeside(["restore", made.file, "--json"], dataDir);
    expect(restored.err).toBe("");
    const { replaced, accounts } = JSON.parse(restored.out);
    expect(accounts).toBe(made.accounts);
    expect(statSync(replaced).size).toBeGreaterThan(0);
    expect((await ledgerServerBeside(["verify"], dataDir)).code).toBe(0);
    const again = await startServer(dataDir);
    const { json } = await rawCaller(again.access.baseUrl, again.access)("AccountService.ListAccounts", {
      Filter: 'name:"Backed up"',
      PageSize: 100,
    });
    const numbers = json.result.accounts.map((account: { number: string }) => account.number);
    expect(numbers).toEqual(expect.arrayContaining(before));
    await again.stop();
  });

  test("replaces nothing, holds no key unless told to, and restores elsewhere with it", async () => {
    const dataDir = join(folder, "source");
    await (await startServer(dataDir)).stop();
    const target = join(folder, "one.sqlite");
    const left = join(folder, "killed.sqlite.2147483647.part");
    const underWay = join(folder, `other.sqlite.${process.pid}.part`);
    for (const part of [left, underWay]) writeFileSync(part, "half");
    const backed = await ledgerServerBeside(["backup", target], dataDir);
    expect(backed.out).toMatch(/sound, .*Seal key: .*not in the backup/s);
    expect(backed.err).toBe(
      `${left} (4 bytes) is what an interrupted backup has left, and no backup: remove it.\n`,
    );
    for (const part of [left, underWay]) rmSync(part);
    const first = readFileSync(target);
    expect(await ledgerServerBeside(["backup", target], dataDir)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/exists: .*--force/),
    });
    expect(readFileSync(target).equals(first)).toBe(true);
    const [other, otherKey] = [join(folder, "keyed.sqlite"), join(folder, "keyed.sqlite.seal.key")];
    writeFileSync(otherKey, "the key of another backup");
    expect(await ledgerServerBeside(["backup", other, "--with-seal-key"], dataDir)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/keyed\.sqlite\.seal\.key exists: .*--force/),
    });
    expect(existsSync(other)).toBe(false);
    rmSync(otherKey);
    mkdirSync(otherKey);
    const keyless = await ledgerServerBeside(["backup", other, "--with-seal-key", "--force"], dataDir);
    expect(keyless.err).toMatch(
      /keyed\.sqlite is complete, but .*keyed\.sqlite\.seal\.key cannot be written: EISDIR/,
    );
    expect(keyless.code).toBe(1);
    expect((await ledgerServerBeside(["backup", target, "--force", "--with-seal-key"], dataDir)).code).toBe(
      0,
    );
    expect(statSync(`${target}.seal.key`).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.includes(".part"))).toEqual([]);

    const elsewhere = join(folder, "elsewhere");
    const without = await ledgerServerBeside(["restore", target], elsewhere);
    expect(without.err).toMatch(/seal\.key is missing/);
    expect(readdirSync(elsewhere).filter((name) => !name.endsWith(".lock"))).toEqual([]);
    // A key that cannot be put in place: what is sealed with it must not be there without it.
    mkdirSync(join(elsewhere, "seal.key"));
    const misplaced = await ledgerServerBeside(
      ["restore", target, "--seal-key", `${target}.seal.key`],
      elsewhere,
    );
    expect(misplaced).toMatchObject({ code: 1, err: expect.stringContaining("seal.key is no file") });
    expect(readdirSync(elsewhere).filter((name) => !name.endsWith(".lock"))).toEqual(["seal.key"]);
    rmSync(join(elsewhere, "seal.key"), { recursive: true });
    const given = await ledgerServerBeside(
      ["restore", target, "--seal-key", `${target}.seal.key`],
      elsewhere,
    );
    expect(given).toMatchObject({ code: 0, err: "" });
    copyFileSync(join(dataDir, "access.json"), join(elsewhere, "access.json"));
    await (await startServer(elsewhere)).stop();
  });

  test("that is damaged, or no backup, replaces nothing", async () => {
    const dataDir = join(folder, "kept");
    await (await startServer(dataDir)).stop();
    const target = join(folder, "damaged.sqlite");
    expect((await ledgerServerBeside(["backup", target], dataDir)).code).toBe(0);
    const bytes = readFileSync(target);
    bytes.fill(0xa5, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 40_000);
    writeFileSync(target, bytes);
    const empty = join(folder, "empty.sqlite");
    writeFileSync(empty, "");
    // The bytes that say how the file is laid out: SQLite opens it, and reads nothing.
    const unreadable = join(folder, "unreadable.sqlite");
    writeFileSync(unreadable, Buffer.from(bytes).fill(0xa5, 100, 108));
    const before = readdirSync(dataDir);
    for (const [name, message] of [
      [target, /not sound|malformed|damaged/],
      [empty, /^\S+empty\.sqlite is empty, and no backup: nothing was replaced/],
      [
        unreadable,
        /^\S+unreadable\.sqlite is damaged: .*\. Nothing was replaced\. Restore an earlier backup/,
      ],
      [join(dataDir, "access.json"), /no SQLite database/],
      [join(folder, "none.sqlite"), /does not exist/],
      [folder, /^\S+ is a folder: name a file that `ledger-server backup` made/],
    ] as const) {
      expect(await ledgerServerBeside(["restore", name], dataDir)).toMatchObject({
        code: 1,
        err: expect.stringMatching(message),
      });
    }
    expect(readdirSync(dataDir)).toEqual(before);
    expect((await ledgerServerBeside(["verify"], dataDir)).code).toBe(0);
    // Nor is a damaged database backed up.
    const file = join(dataDir, "ledger.sqlite");
    writeFileSync(file, bytes);
    expect(await ledgerServerBeside(["backup", join(folder, "no.sqlite")], dataDir)).toMatchObject({
      code: 1,
    });
    expect(spawnSync("ls", [folder], { encoding: "utf8" }).stdout).not.toContain("no.sqlite");
  });
});
