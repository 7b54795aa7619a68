import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ledgerServerBeside } from "./ledger-server-beside.ts";
import { startServer } from "./server.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "ledger-backup-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a backup", () => {
  test("is made, verified and restored by the commands of the operations guide", async () => {
    const dataDir = join(folder, "guide");
    const backups = join(folder, "guide-backups");
    mkdirSync(backups);
    await (await startServer(dataDir)).stop();
    const guide = readFileSync(join(root, "docs/operations.md"), "utf8");
    const [, block = ""] = /### Backup and restore\n\n```sh\n([^`]+)```/.exec(guide) ?? [];
    const commands = block
      .split("\n")
      .flatMap((line) => /^ledger-server ([^#]+)/.exec(line)?.[1]?.trim() ?? []);
    expect(commands).toHaveLength(3);
    for (const command of commands) {
      const args = command.split(" ").map((arg) => arg.replace(/^(?=today\.sqlite$)/, `${backups}/`));
      const outcome = await ledgerServerBeside(args, dataDir);
      expect(outcome, command).toMatchObject({ code: 0, err: "" });
    }
  });
});
