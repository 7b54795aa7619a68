import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const repository = join(import.meta.dirname, "../..");

// Other users could put code into a folder that all share, and it would be run.
test.skipIf(process.platform === "win32").each(["ledger/cli/main.ts", "generator/cli/main.ts"])(
  "%s keeps compiled code in a folder of its user",
  (program) => {
    const folder = mkdtempSync(join(tmpdir(), "compile-cache-"));
    const [home, shared] = [join(folder, "home"), join(folder, "tmp")];
    for (const each of [home, shared]) mkdirSync(each);
    const env = { PATH: process.env["PATH"], HOME: home, TMPDIR: shared };
    const { status, stderr } = spawnSync(process.execPath, [program, "--version"], { cwd: repository, env });
    expect(status, String(stderr)).toBe(0);
    expect(readdirSync(shared)).toEqual([]);
    expect(readdirSync(join(home, ".cache/ledger-rpc"))).toHaveLength(1);
    rmSync(folder, { recursive: true });
  },
);
