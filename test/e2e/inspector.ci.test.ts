import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "ledger-sigusr1-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The image's command, on the files of this clone. */
const [program, ...flags]: readonly string[] = JSON.parse(
  /^ENTRYPOINT (.+)$/m.exec(readFileSync(join(root, "deploy/docker/Dockerfile"), "utf8"))?.[1] ?? "[]",
);
const ofImage = flags.map((flag) => flag.replace("/app/ledger/cli/main.js", "ledger/cli/main.ts"));

test.runIf(existsSync("/proc/self/task")).each([
  ["npm start", ["npm", "start", "--ignore-scripts"]],
  ["npm run ledger-server", ["npm", "run", "ledger-server", "--ignore-scripts", "--", "start"]],
  ["the program of the package, the unit and npx", ["node", "bin/ledger-server.mjs", "start"]],
  ["the image", [program ?? "", ...ofImage, "start"]],
  ["its main module alone", ["node", "ledger/cli/main.ts", "start"]],
])("SIGUSR1 opens no inspector in what %s starts, and it serves on", async (way, [first = "", ...args]) => {
  const child = spawn(first, args, {
    cwd: root,
    env: { ...process.env, PORT: "0", OPERATOR_PORT: "0", LEDGER_DATA_DIR: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  const closed = once(child, "close");
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      const found = /answers on (http:\/\/[0-9.:]+)\/jsonrpc/.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("exit", () => reject(new Error(`it ended at once:\n${printed}`)));
  });
  const pid = descendantOf(child.pid ?? 0);
  // A handler of the service's own would be too late for a signal that comes first.
  const isClosedFromTheStart = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--disable-sigusr1");
  expect(isClosedFromTheStart).toBe(way !== "its main module alone");
  if (way === "the image")
    expect(readFileSync(`/proc/${pid}/limits`, "utf8")).toMatch(/^Max core file size +0 +0 /m);
  process.kill(pid, "SIGUSR1");
  for (const path of ["healthz", "readyz"]) expect((await fetch(`${url}/${path}`)).status).toBe(200);
  child.kill("SIGTERM");
  await closed;
  // Node says on standard error that it listens, or that another process has the inspector's port.
  expect(printed).not.toMatch(/debugger|inspector/i);
  expect(printed).toContain('"msg":"stopped"');
});

/** The last in a line of processes: npm starts a shell, the shell becomes the service. */
function descendantOf(pid: number): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
  return child === undefined || child === "" ? pid : descendantOf(Number(child));
}
