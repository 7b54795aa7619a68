import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { rawCaller } from "../e2e/raw-caller.ts";
import { startServer } from "../e2e/server.ts";
import { testDatabase } from "./databases.ts";

const root = join(import.meta.dirname, "../..");

test.each(["SQLite", "PostgreSQL"])(
  "production over a sandbox's %s serves none of its demo users",
  async (engine) => {
    const dataDir = mkdtempSync(join(tmpdir(), "ledger-demo-"));
    const database = engine === "SQLite" ? undefined : await testDatabase();
    onTestFinished(async () => {
      await database?.dispose();
      rmSync(dataDir, { recursive: true });
    });
    const place: Record<string, string> = database === undefined ? {} : { LEDGER_DATABASE_URL: database.url };
    const sandbox = await startServer(dataDir, place);
    const { access } = sandbox;
    await sandbox.stop();

    const env = {
      ...process.env,
      ...place,
      LEDGER_PROFILE: "production",
      LEDGER_DATA_DIR: dataDir,
      LEDGER_HOST: "127.0.0.1",
      PORT: "0",
      OPERATOR_PORT: "0",
      LEDGER_MAIL_TRANSPORT: "folder",
      LEDGER_MAIL_FROM: "bank@bank.example",
      LEDGER_SEAL_KEY: readFileSync(join(dataDir, "seal.key"), "utf8").trim(),
    };
    const run = (...args: readonly string[]) =>
      spawnSync(process.execPath, ["ledger/cli/main.ts", ...args], { cwd: root, env, encoding: "utf8" });
    for (const command of ["start", "serve"]) {
      const refused = run(command);
      expect(refused.status, refused.stderr + refused.stdout).toBe(1);
      expect(refused.stderr).toMatch(
        /operator and demo of its demo data could call .*: ledger-server seed --revoke\n$/,
      );
    }
    expect(run("seed", "--revoke").stdout).toBe("Revoked: operator, demo.\n");
    expect(run("seed", "--revoke").stdout).toBe("No demo user can call.\n");

    const child = spawn(process.execPath, ["ledger/cli/main.ts", "serve"], {
      cwd: root,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "close");
    let urls: { ledgerUrl: string; operatorUrl: string } | undefined;
    for await (const line of createInterface(child.stdout)) {
      const logged = JSON.parse(line);
      if (logged.msg === "started") {
        urls = logged;
        break;
      }
    }
    const { ledgerUrl = "", operatorUrl = "" } = urls ?? {};
    const asDemo = await rawCaller(ledgerUrl, access)("AccountService.GetAccount", { ID: "account-1" });
    const asOperator = await rawCaller(operatorUrl, access.operator)("ListUsers", {});
    expect([asDemo.code, asOperator.code]).toEqual(["BAD_CREDENTIAL", "BAD_CREDENTIAL"]);
    child.kill("SIGTERM");
    await ended;
  },
);
