import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scenarios } from "../../bench/neighbours/scenarios.ts";

test("a benchmark says how it is called, and what it measures", () => {
  const program = join(import.meta.dirname, "../../bench/neighbours.ts");
  const help = spawnSync(process.execPath, [program, "--help"], { encoding: "utf8" });
  expect(help).toMatchObject({ status: 0, stderr: "" });
  expect(help.stdout).toContain("node bench/neighbours.ts");
  for (const { name } of scenarios) expect(help.stdout).toContain(name);
});
