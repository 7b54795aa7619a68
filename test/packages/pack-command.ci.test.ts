import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

function pack(...args: readonly string[]) {
  const { status, stderr } = spawnSync(process.execPath, ["bin/pack.ts", ...args], {
    cwd: join(import.meta.dirname, "../.."),
    encoding: "utf8",
  });
  return { status, stderr };
}

test.each([
  ["two packages at once", ["generator", "runtime"], "pack runtime by a command of its own"],
  ["an unknown package", ["generators"], "generators is not a package of this repository"],
  ["one name for several", ["client", "ledger", "operator", "--name", "c"], "give --scope for several"],
])("%s: packs nothing and says why", (_, args, message) => {
  expect(pack(...args)).toEqual({ status: 2, stderr: expect.stringContaining(message) });
});
