import { execFileSync, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { ledgerServerBeside } from "./ledger-server-beside.ts";
import { rawCaller, type RawAnswer, type RawCall } from "./raw-caller.ts";
import { startReceiver } from "./receiver.ts";
import { until } from "../until.ts";
import { startServer, type RunningServer } from "./server.ts";

const folder = mkdtempSync(join(tmpdir(), "ledger-disk-"));
const servers: RunningServer[] = [];
const mounts: string[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  for (const mount of mounts.splice(0)) execFileSync("umount", [mount]);
});
afterAll(() => rmSync(folder, { recursive: true }));

const canMount = mounted(join(folder, "try"), "1m");
if (canMount) execFileSync("umount", [mounts.pop() ?? ""]);
const canLimit = spawnSync("prlimit", ["--version"]).status === 0;

describe("a full disk", () => {
  test.skipIf(!canMount)("of a few megabytes: refuses writes, says why, and takes them again", async () => {
    const dataDir = join(folder, "tmpfs");
    mounted(dataDir, "6m");
    const server = await started(dataDir);
    const filler = join(dataDir, "filler");
    await refusesAndRecovers(server, {
      reason: /disk is full/,
      fill: () => {
        spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=4k"], { stdio: "ignore" });
      },
      free: () => rmSync(filler),
      // Nobody else writes meanwhile; a write that the disk refuses is seen in the file's time, too.
      async untilTried() {
        const triedAt = (): number => statSync(join(dataDir, "ledger.sqlite-wal")).mtimeMs;
        for (let times = 0; times < 2; times += 1) {
          const before = triedAt();
          await until(() => triedAt() !== before);
        }
      },
    });
  });

  test.skipIf(!canLimit)(
    "by a limit of the process: refuses writes, says why, and takes them again",
    async () => {
      const dataDir = join(folder, "limited");
      const server = await started(dataDir);
      const limit = (bytes: number | "unlimited"): void => {
        execFileSync("prlimit", ["--pid", String(server.child.pid), `--fsize=${bytes}:unlimited`]);
      };
      const { size } = statSync(join(dataDir, "ledger.sqlite-wal"));
      await refusesAndRecovers(server, {
        reason: /"reason":"disk-[a-z]+"/,
        fill: () => limit(size),
        free: () => limit("unlimited"),
      });
    },
  );

  test.skipIf(!canMount)("while it is migrated: that is undone, says what to do, and goes on", () => {
    const dataDir = join(folder, "migrated");
    mounted(dataDir, "300k");
    expect(ledgerServer("migrate", dataDir).err).toMatch(
      /migration \d+ \(.+\) failed and was undone: .*full \(the disk is full: .*\)\. Put that right and run `ledger-server migrate` again/,
    );
    execFileSync("mount", ["-o", "remount,size=6m", dataDir]);
    expect(ledgerServer("migrate", dataDir)).toMatchObject({ code: 0 });
    const filler = join(dataDir, "filler");
    spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=4k"], { stdio: "ignore" });
    expect(ledgerServer("seed", dataDir).err).toMatch(/data folder .* cannot be used: .*the disk is full: /);
    rmSync(filler);
    expect(ledgerServer("seed", dataDir)).toMatchObject({ code: 0 });
    expect(ledgerServer("verify", dataDir)).toMatchObject({ code: 0 });
  });

  test.skipIf(!canMount)("at a start is said in a line, and nothing is lost", async () => {
    const dataDir = join(folder, "start");
    mounted(dataDir, "6m");
    const server = await started(dataDir);
    await server.stop();
    const filler = join(dataDir, "filler");
    spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=512"], { stdio: "ignore" });
    const refused = ledgerServer("serve", dataDir);
    expect(refused.err).toMatch(/data folder .* cannot be used: .*(full|disk I\/O|no space)/);
    expect(refused.code).toBe(1);
    rmSync(filler);
    expect(ledgerServer("verify", dataDir).out).toMatch(/^Sound/);
  });

  test.skipIf(!canMount)("under a backup is said of the backup, and leaves nothing of it", async () => {
    const dataDir = join(folder, "backed-up");
    const target = join(folder, "small");
    mounted(target, "256k");
    ledgerServer("migrate", dataDir);
    const refused = ledgerServer("backup", dataDir, join(target, "copy.sqlite"));
    expect(refused.err).toMatch(/small\/copy\.sqlite cannot be written: .*full/);
    expect(refused.code).toBe(1);
    expect(readdirSync(target)).toEqual([]);
    const nowhere = ledgerServer("backup", dataDir, join(target, "none/copy.sqlite"));
    expect(nowhere.err).toMatch(/none\/copy\.sqlite cannot be written: ENOENT/);
  });

  test.skipIf(!canMount)("is not made by a backup on the service's own disk", async () => {
    const dataDir = join(folder, "own-disk");
    mounted(dataDir, "44m");
    ledgerServer("seed", dataDir);
    const database = new DatabaseSync(join(dataDir, "ledger.sqlite"));
    database.exec(
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) " +
        "INSERT INTO answers (request_hash, result_json, created_at) SELECT i, hex(zeroblob(500000)), 1 FROM n; " +
        "PRAGMA wal_checkpoint(TRUNCATE)",
    );
    database.close();
    const server = await started(dataDir);
    const { add } = callsOf(server);
    const target = join(dataDir, "copy.sqlite");
    const done = new AbortController();
    const writing = (async () => {
      for (let index = 0; !done.signal.aborted; index += 1) expect((await add(index)).status).toBe(200);
    })();
    const refused = await ledgerServerBeside(["backup", target], dataDir);
    expect(refused.err).toMatch(
      /copy\.sqlite cannot be written: .* still to be copied.* service needs .*make room there, or name a file on another disk/,
    );
    expect(refused.code).toBe(1);
    expect(readdirSync(dataDir).filter((name) => name.startsWith("copy"))).toEqual([]);
    expect(await readiness(server)).toMatch(/^200 /);
    execFileSync("mount", ["-o", "remount,size=80m", dataDir]);
    expect(await ledgerServerBeside(["backup", target], dataDir)).toMatchObject({ err: "", code: 0 });
    done.abort();
    await writing;
    expect(await readiness(server)).toMatch(/^200 /);
  });

  test.skipIf(!canLimit)("by a quota under a backup is said of the backup, not of the data folder", () => {
    const dataDir = join(folder, "backed-up-within");
    ledgerServer("migrate", dataDir);
    const target = join(folder, "within", "copy.sqlite");
    mkdirSync(dirname(target));
    const limited = ["prlimit", "--fsize=204800", process.execPath] as const;
    const refused = ledgerServerBy(limited, "backup", dataDir, target);
    expect(refused.err).toMatch(
      /within\/copy\.sqlite cannot be written: disk I\/O error\. Nothing was left of it/,
    );
    expect(refused.code).toBe(1);
    expect(readdirSync(dirname(target))).toEqual([]);
  });

  test.skipIf(!canMount)("while the seal key is changed says how that is finished", () => {
    const dataDir = join(folder, "sealed");
    mounted(dataDir, "6m");
    ledgerServer("migrate", dataDir);
    ledgerServer("seed", dataDir);
    const filler = join(dataDir, "filler");
    const { bavail, bsize } = statfsSync(dataDir);
    writeFileSync(filler, Buffer.alloc(bavail * bsize - 40 * 1024));
    const stopped = ledgerServer("rotate-seal-key", dataDir);
    expect(stopped.err).toMatch(
      /Not everything is sealed with the new key, .*seal\.key\.new: .*full.* run `ledger-server rotate-seal-key` again/,
    );
    expect(stopped.code).toBe(1);
    rmSync(filler);
    expect(ledgerServer("rotate-seal-key", dataDir)).toMatchObject({ code: 0 });
    expect(ledgerServer("verify", dataDir)).toMatchObject({ code: 0 });
  });
});

describe("a database file", () => {
  test("that is removed under the running service takes no more writes", async () => {
    const dataDir = join(folder, "removed");
    const server = await started(dataDir);
    const { add, read } = callsOf(server);
    expect((await add(1)).status).toBe(200);
    const file = join(dataDir, "ledger.sqlite");
    renameSync(file, `${file}.away`);
    expectUnavailable(await add(2), "60");
    expect(await readiness(server)).toMatch(/^503 not ready: .*removed or replaced/);
    expect((await read()).status).toBe(200);
    renameSync(`${file}.away`, file);
    await server.stop();
    expect(ledgerServer("verify", dataDir).out).toMatch(/^Sound/);
  });

  test("that is damaged under the running service is left alone, and nothing is answered from it", async () => {
    const dataDir = join(folder, "damaged");
    const server = await started(dataDir);
    await server.stop();
    const again = await started(dataDir);
    const { add, read } = callsOf(again);
    const file = join(dataDir, "ledger.sqlite");
    truncateSync(file, 4096);
    expectUnavailable(await add(1), "60");
    expect(await readiness(again)).toMatch(/^503 not ready: .*damaged.*restore a backup/);
    expectUnavailable(await read(), "60");
    const logged = (): number =>
      again.printed().match(/"level":"error"[^\n]*store is unavailable/g)?.length ?? 0;
    await until(() => logged() > 0);
    expect(logged()).toBe(1);
    const metrics = await (await fetch(`${again.access.operatorUrl}/metrics`)).text();
    expect(metrics).toContain('ledger_rpc_store_unavailable{reason="damaged"} 1');
    const before = statSync(file).mtimeMs;
    expect(await again.stop()).toBe(0);
    expect(statSync(file).mtimeMs).toBe(before);
    const refused = ledgerServer("serve", dataDir);
    expect(refused.err).toMatch(/is damaged: .*restore/);
    expect(refused.code).toBe(1);
  });

  test("on a medium that is read-only now refuses writes and says so", async () => {
    if (!canMount) return;
    const dataDir = join(folder, "read-only");
    mounted(dataDir, "20m");
    const server = await started(dataDir);
    writeFileSync(join(dataDir, "probe"), "");
    const remounted = spawnSync("mount", ["-o", "remount,ro", dataDir]);
    // A file system with files open for writing may refuse it.
    if (remounted.status !== 0) return;
    const { add, read } = callsOf(server);
    expectUnavailable(await add(1));
    expect((await read()).status).toBe(200);
    expect(await readiness(server)).toMatch(/^503 /);
    execFileSync("mount", ["-o", "remount,rw", dataDir]);
    await ready(server);
    expect((await add(2)).status).toBe(200);
  });
});

interface Fault {
  readonly reason: RegExp;
  fill(): void;
  free(): void;
  /**
   * Resolves once the service itself has tried in vain to write. Below a limit of the process there is room again at
   * times, when the write-ahead log begins anew: no such state stays.
   */
  untilTried?(): Promise<void>;
}

/** Writes, fills the disk, writes on, frees it, and compares with what was acknowledged. */
async function refusesAndRecovers(server: RunningServer, fault: Fault): Promise<void> {
  const { reason, fill, free, untilTried } = fault;
  const receiver = await startReceiver();
  const { add, read, list, subscribe } = callsOf(server);
  const acknowledged: string[] = [];
  const note = (answer: RawAnswer): RawAnswer => {
    if (answer.status === 200) acknowledged.push(String(answer.json.result.accountNumber));
    return answer;
  };
  const first = note(await add(0));
  await subscribe(receiver.url, String(first.json.result.accountNumber));
  note(await add(1));
  await receiver.until(1);

  fill();
  let failing: RawAnswer | undefined;
  for (let tries = 2; tries < 3_000 && failing === undefined; tries += 8) {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => add(tries + index)));
    for (const answer of answers) {
      note(answer);
      if (answer.status !== 200) failing = answer;
    }
  }
  if (failing === undefined) throw new Error("the disk never got full");
  expectUnavailable(failing);
  if (untilTried !== undefined) expect(await readiness(server)).toMatch(/^503 not ready: [^/]+$/);
  for (let times = 0; times < 20; times += 1) {
    const answers = await Promise.all([add(5_000 + times), read()]);
    note(answers[0]);
    expect(answers[1].status).toBe(200);
    expect([200, 503]).toContain(answers[0].status);
  }
  if (untilTried !== undefined) {
    await untilTried();
    expect(await readiness(server)).toMatch(/^503 not ready: [^/]+$/);
    expect(server.printed()).not.toContain("the store takes writes again");
    const metrics = await (await fetch(`${server.access.operatorUrl}/metrics`)).text();
    expect(metrics).toMatch(/ledger_rpc_store_unavailable\{reason="disk-[a-z]+"\} 1/);
  }
  const logged = server
    .printed()
    .split("\n")
    .filter((line) => line.includes('"level":"error"'));
  expect(logged.length, logged.join("\n")).toBeGreaterThan(0);
  for (const line of logged) {
    expect(line).toContain("the store is unavailable");
    expect(line).toMatch(reason);
  }
  expect(logged.length).toBeLessThan(5);

  free();
  await ready(server);
  note(await add(9_999));
  await until(() => server.printed().includes("the store takes writes again"));
  const listed = await list();
  expect(new Set(listed)).toEqual(new Set(acknowledged));
  await receiver.until(acknowledged.length - 1);
  const told = new Set(receiver.received.map(({ json }) => String(json.eventId)));
  expect(told.size).toBe(acknowledged.length - 1);
  await receiver.close();
  expect(await server.stop()).toBe(0);
}

function callsOf({ access }: RunningServer) {
  const call: RawCall = rawCaller(access.baseUrl, access);
  const { accountId, consumerCustomerId } = access.samples;
  const name = "Written while the disk fills";
  return {
    add: (index: number) =>
      call(
        "CustomerService.AddAccount",
        { customerID: consumerCustomerId, name: `${name} ${index}`, accountType: "SAVINGS", currency: "USD" },
        `add-${index}`,
      ),
    read: () => call("AccountService.GetAccount", { ID: accountId }),
    async list(): Promise<readonly string[]> {
      const found: string[] = [];
      for (let page = 1; ; page += 1) {
        const { json } = await call("AccountService.ListAccounts", {
          Filter: `name:"${name}"`,
          PageNumber: page,
          PageSize: 100,
        });
        const numbers: string[] = json.result.accounts.map((each: { number: string }) => each.number);
        found.push(...numbers);
        if (numbers.length < 100) return found;
      }
    },
    async subscribe(url: string, accountNumber: string): Promise<void> {
      const { userName, apiKey, keyId, privateKeyPem } = access;
      const { contractClient } = await import("./contract-client.ts");
      const client = contractClient(access.baseUrl, { userName, apiKey, keyId, privateKeyPem });
      const made = await client.flat({
        name: "n",
        callbackUrl: url,
        events: ["Account.NEW"],
        groupId: [accountNumber],
      });
      client.close();
      expect(made.error).toBeUndefined();
    },
  };
}

function expectUnavailable({ status, code, retryAfter }: RawAnswer, after = "5"): void {
  expect({ status, code, retryAfter }).toEqual({ status: 503, code: "UNAVAILABLE", retryAfter: after });
}

async function readiness({ access }: RunningServer): Promise<string> {
  const response = await fetch(`${access.baseUrl}/readyz`);
  return `${response.status} ${await response.text()}`;
}

async function ready(server: RunningServer): Promise<void> {
  await until(async () => (await readiness(server)).startsWith("200 "));
}

async function started(dataDir: string): Promise<RunningServer> {
  const server = await startServer(dataDir);
  servers.push(server);
  return server;
}

function ledgerServer(command: string, dataDir: string, ...more: readonly string[]) {
  return ledgerServerBy([process.execPath], command, dataDir, ...more);
}

function ledgerServerBy(
  [program, ...options]: readonly [string, ...string[]],
  command: string,
  dataDir: string,
  ...more: readonly string[]
) {
  const run = spawnSync(program, [...options, "ledger/cli/main.ts", command, ...more], {
    cwd: join(import.meta.dirname, "../.."),
    env: { ...process.env, PORT: "0", OPERATOR_PORT: "0", LEDGER_DATA_DIR: dataDir },
    encoding: "utf8",
  });
  return { code: run.status, out: run.stdout, err: run.stderr };
}

/** Mounts a file system of its own, where that is allowed. */
function mounted(path: string, size: string): boolean {
  mkdirSync(path, { recursive: true });
  const isMounted =
    spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path], { stdio: "ignore" }).status ===
    0;
  if (isMounted) mounts.push(path);
  return isMounted;
}
