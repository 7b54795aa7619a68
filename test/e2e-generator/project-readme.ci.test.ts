import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startIn } from "../packages/installed-project.ts";
import { createProject, linkRuntime, type Project } from "./project.ts";

let folder: Project;
beforeEach(() => (folder = createProject()));
afterEach(() => folder.dispose());

/** The README of a project, pasted: its commands against the running service, then its program. */
test.each(["minimal", "bearer", "service"])(
  "what the README of a project prints works as printed: %s",
  async (template) => {
    await folder.run(["init", "shop", "--template", template]);
    linkRuntime(folder, ["shop"]);
    const root = join(folder.root, "shop");
    const service = await startIn(root);
    try {
      const printed = folder.read("shop/README.md").replaceAll("127.0.0.1:3000", `127.0.0.1:${service.port}`);
      const [, whileItRuns = ""] = printed.split("## While it runs\n");
      const block = (language: string) =>
        new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "ms").exec(whileItRuns)?.[1] ?? "";
      const commands = block("sh").split("\n").filter(Boolean);
      expect(commands.length).toBeGreaterThanOrEqual(3);
      for (const command of commands) await calls(command, service.port);
      const token = /LEDGER_RPC_TOKEN=(\S+)/.exec(service.lines.join("\n"))?.[1] ?? "";
      folder.write("shop/try.ts", block("ts"));
      const { stdout } = await promisify(execFile)(process.execPath, ["try.ts"], {
        cwd: root,
        env: { ...process.env, LEDGER_RPC_TOKEN: token },
      });
      expect(stdout).toContain("title: 'Buy milk'");
    } finally {
      await service.stop();
    }
  },
);

/** A command of `ledger-rpc`, as a shell takes it apart. */
async function calls(command: string, port: string): Promise<void> {
  const [, line = ""] = /^npx --no-install ledger-rpc ([^#]*)/.exec(command) ?? [];
  const words = (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ""));
  expect(words.length, command).toBeGreaterThan(0);
  const { exitCode, stdout, stderr } = await folder.run(words, { PORT: port }, "shop");
  expect(exitCode, `${command}\n${stdout}\n${stderr}`).toBe(0);
}
