import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";

const beside = (file: string): string => JSON.stringify(join(import.meta.dirname, file));

/** Starts a server and says where, then waits for its end, as tests of a run do. */
const tests = `
  import { startPostgres } from ${beside("postgres-server.ts")};
  const server = await startPostgres();
  console.log(server.url("postgres"));
  setInterval(() => {}, 60_000);
`;

/** Runs that program as \`npm test\` and \`npm run soak\` run vitest. */
const run = (program: string): string => `
  import { startCommand } from ${beside("../child-command.ts")};
  startCommand([process.execPath, ${JSON.stringify(program)}], { env: process.env, stdio: "inherit" });
`;

test("a run that is told to end takes its PostgreSQL servers and their folders with it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stopped-"));
  const [program, runner] = [join(folder, "tests.ts"), join(folder, "run.ts")];
  writeFileSync(program, tests);
  writeFileSync(runner, run(program));
  // Where tests run as root, the server's processes are those of another user.
  chmodSync(folder, 0o755);
  const child = spawn(process.execPath, [runner], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const { port } = new URL(String((await lines.next()).value));
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([null, "SIGTERM"]);
    await expect.poll(() => readdirSync(folder).filter((name) => name.startsWith("postgres-"))).toEqual([]);
    const [refused] = await once(connect(Number(port), "127.0.0.1"), "error");
    expect(refused).toHaveProperty("code", "ECONNREFUSED");
  } finally {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
});
