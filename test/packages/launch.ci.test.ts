import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "launch-"));

beforeAll(() => {
  mkdirSync(join(folder, "bin"));
  cpSync("bin/launch.mjs", join(folder, "bin/launch.mjs"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "compiled.js"), 'console.log("it ran");');
  writeFileSync(join(folder, "source.ts"), 'console.log("it ran");');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command that needs a version, on a Node that says it is another one. */
function launched(entry: string, nodeMin: string, version: string): readonly [number | null, string] {
  const versions = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`;
  return launchedAfter(versions, entry, `{ nodeMin: "${nodeMin}" }`);
}

function launchedAfter(script: string, entry: string, options: string): readonly [number | null, string] {
  const command = `import { launch } from "./launch.mjs"; launch("${entry}", ${options});`;
  writeFileSync(join(folder, "bin/command.mjs"), command);
  writeFileSync(join(folder, "before.mjs"), script);
  const run = spawnSync(process.execPath, ["--import", "./before.mjs", "bin/command.mjs"], {
    cwd: folder,
    encoding: "utf8",
  });
  return [run.status, run.stdout + run.stderr];
}

test.each([
  ["compiled", "22.12", "22.12.0"],
  ["compiled", "22.12", "23.0.0"],
  ["source", "22.12", "24.7.0"],
  ["compiled", "24.7", "25.1.0"],
])("%s code that needs %s runs on %s", (entry, nodeMin, version) => {
  expect(launched(entry, nodeMin, version)).toEqual([0, "it ran\n"]);
});

test.each([
  ["compiled", "22.12", "22.11.0", "Node 22.12 or later is needed; this is Node 22.11.0. Install it"],
  ["compiled", "24.7", "24.6.0", "Node 24.7 or later is needed; this is Node 24.6.0. Install it"],
  ["source", "22.12", "24.0.0", "Node 24.7 or later is needed; this is Node 24.0.0. Install it"],
])("%s code that needs %s says so on %s, and how to get it", (entry, nodeMin, version, said) => {
  expect(launched(entry, nodeMin, version)).toEqual([1, expect.stringContaining(said)]);
});

test("a Node that waits for the command closes the debugger that a signal had opened, and takes no other", () => {
  const script = `
    import { open, url } from "node:inspector";
    process.execve = undefined;
    open(0);
    process.on("exit", () => console.log(url(), process.listenerCount("SIGUSR1")));`;
  const [status, printed] = launchedAfter(script, "compiled", '{ nodeFlags: ["--disable-sigusr1"] }');
  expect([status, printed]).toEqual([0, expect.stringContaining("it ran\nundefined 1\n")]);
});
