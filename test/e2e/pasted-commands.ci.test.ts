import { execFile, spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { ledgerServer } from "./ledger-server.ts";
import { startServer } from "./server.ts";
import { sealKeyText } from "../seal-key.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "ledger-cli-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("ledger-server", () => {
  test("what the README and the welcome message say to paste works when pasted", async () => {
    const dataDir = join(folder, "paste");
    const server = await startServer(dataDir);
    try {
      const readme = readFileSync(join(root, "README.md"), "utf8");
      const fromReadme = /```sh\n(get\(\)[^`]+)```/.exec(readme)?.[1] ?? "";
      for (const page of [`${server.access.baseUrl}/docs`, `${server.access.operatorUrl}/console`]) {
        expect(server.printed()).toContain(page);
        expect((await fetch(page)).status).toBe(200);
      }
      const invited = /(get\(\) [\s\S]*?)\n\nThen:/.exec(server.printed())?.[1] ?? "";
      for (const script of [fromReadme.replaceAll(".data/", `${dataDir}/`), invited]) {
        const { stdout } = await promisify(execFile)("bash", ["-euc", script], { cwd: folder });
        expect(JSON.parse(stdout).result.account.id).toBe(server.access.samples.accountId);
      }
      expect(
        ledgerServer(["verify"], { LEDGER_DATA_DIR: dataDir }).out,
        "beside the running service",
      ).toMatch(/^Sound/);
    } finally {
      await server.stop();
    }
  });

  test("verify finds a balance that its postings do not give, and says which", () => {
    const dataDir = join(folder, "verify");
    expect(ledgerServer(["seed"], { LEDGER_DATA_DIR: dataDir })).toMatchObject({ code: 0 });
    const sound = ledgerServer(["verify"], { LEDGER_DATA_DIR: dataDir });
    expect(sound).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^Sound: [0-9]+ accounts, [1-9][0-9]* transactions, [0-9]+ postings, [0-9]+ audit entries, [0-9]+ sealed texts\.\nRoot: [0-9]+:[0-9a-f]{64}\n$/,
      ),
    });
    const root = ledgerServer(["root"], { LEDGER_DATA_DIR: dataDir }).out.trim();
    expect(sound.out).toContain(`Root: ${root}\n`);
    const kept = (...roots: readonly string[]) =>
      ledgerServer(["verify", "--root", ...roots], { LEDGER_DATA_DIR: dataDir });
    expect(kept(root)).toMatchObject({ code: 0 });
    expect(kept(root, `1:${"0".repeat(64)}`)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^root +audit_entries 1 to 1: the root kept elsewhere says 0+, the first/),
    });
    expect(kept("1:abc")).toMatchObject({ code: 2, err: expect.stringContaining("1:abc is no root") });
    const database = new DatabaseSync(join(dataDir, "ledger.sqlite"));
    const { samples } = JSON.parse(readFileSync(join(dataDir, "access.json"), "utf8"));
    const row = database
      .prepare("UPDATE accounts SET ledger_minor = ledger_minor + 1 WHERE id = ? RETURNING ledger_minor")
      .get(samples.accountId);
    const minor = Number(row?.["ledger_minor"]);
    database.close();
    const off = ledgerServer(["verify"], { LEDGER_DATA_DIR: dataDir });
    expect(off.code).toBe(1);
    expect(off.out).toContain(
      `accounts ${samples.accountId}: ledger_minor is ${minor}, its postings sum to ${minor - 1} (USD)`,
    );
    expect(JSON.parse(ledgerServer(["verify", "--json"], { LEDGER_DATA_DIR: dataDir }).out)).toMatchObject({
      sound: false,
    });
  });

  test("serve refuses a database that was never migrated, and says what to do", () => {
    const run = ledgerServer(["serve"], { LEDGER_DATA_DIR: join(folder, "new") });
    expect(run.code).toBe(1);
    expect(run.err).toContain("ledger-server migrate");
  });

  test("a taken port is named with the way out", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? String(address.port) : "";
    const run = await promisify(execFile)(process.execPath, ["ledger/cli/main.ts", "start"], {
      cwd: root,
      env: { ...process.env, PORT: port, OPERATOR_PORT: "0", LEDGER_DATA_DIR: join(folder, "taken") },
    }).catch((error: { code: number; stderr: string }) => error);
    taken.close();
    expect(run.stderr).toContain("PORT=9080 OPERATOR_PORT=9081 npm start");
    expect(run).toHaveProperty("code", 1);
  });

  test("production starts with what it needs: no demo data, its first operator by command", () => {
    const dataDir = join(folder, "production");
    mkdirSync(dataDir);
    const env = {
      LEDGER_PROFILE: "production",
      LEDGER_DATA_DIR: dataDir,
      LEDGER_HOST: "127.0.0.1",
      LEDGER_MAIL_TRANSPORT: "folder",
      LEDGER_MAIL_FROM: "bank@example.com",
      LEDGER_SEAL_KEY: sealKeyText,
    };
    const without = ledgerServer(["serve"], { LEDGER_PROFILE: "production" });
    expect(without.code).toBe(2);
    expect(without.err).toContain("LEDGER_SEAL_KEY: is needed under the production profile.");
    expect(ledgerServer(["seed"], env)).toMatchObject({
      code: 1,
      err: "Demo data is for the sandbox profile only.\n",
    });
    expect(ledgerServer(["migrate"], env)).toMatchObject({ code: 0 });
    const keyFile = join(folder, "operator.pem");
    const key = spawnSync("bash", [
      "-c",
      "openssl ecparam -name prime256v1 -genkey -noout | openssl ec -pubout",
    ]);
    writeFileSync(keyFile, key.stdout);
    const operator = [
      "operator",
      "--institution=1",
      "--institution-name=Bank",
      "--user=op",
      "--email=op@example.com",
      `--public-key=${keyFile}`,
    ];
    expect(ledgerServer(operator, env).out).toMatch(
      /^userName: op\napiKey: {3}[0-9a-f]{32}\nkeyId: {4}[0-9A-Z]{26}\n$/,
    );
    expect(ledgerServer(operator, env).err).toContain("There is a user op already");
  });
});
