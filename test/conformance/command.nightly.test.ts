import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startFaultyServer, type FaultyServer } from "../faults/faulty-server.ts";
import { accessFile, ran, usual } from "./run-command.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "conform-"));
const baseline = join(folder, "known.json");
let faulty: FaultyServer;

beforeAll(async () => {
  faulty = await startFaultyServer("id-null-in-errors");
});
afterAll(async () => {
  await faulty.stop();
  rmSync(folder, { recursive: true });
});

async function conform(server: FaultyServer, ...args: readonly string[]) {
  const command = [
    "generator/cli/main.ts",
    "conform",
    "--access",
    accessFile(folder, server),
    ...usual,
    ...args,
  ];
  return await ran(process.execPath, command, { cwd: root, home: folder });
}

describe("the exit code", () => {
  test("says whether a service holds what the level asks for", async () => {
    expect(await conform(faulty, "--level", "document")).toMatchObject({ code: 0 });
    const { code, stdout, stderr } = await conform(faulty, "--level", "decisions", "--failures", "1");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAILED AccountService.GetAccount\/authentication/);
    expect(stdout).toContain("found    null");
    expect(stderr).toMatch(/^\d+ of \d+ cases, \d+ failed, \d+ s$/m);
    expect(stderr).not.toContain("\r");
  });

  test("is 2 where the operator of the access file is not let in", async () => {
    const { operator, ...rest } = faulty.access;
    if (operator === undefined) throw new Error("the service gave no operator access");
    const wrong = { ...rest, operator: { ...operator, apiKey: "0".repeat(32) } };
    const { code, stderr } = await conform({ ...faulty, access: wrong });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        /^error: cannot reach the operator's interface at \S+: .*BAD_CREDENTIAL: look at userName and apiKey of its operator/,
      ),
    });
  });

  test("takes known failures for granted, and complains when one of them holds", async () => {
    expect(await conform(faulty, "--baseline", baseline, "--update-baseline")).toMatchObject({ code: 0 });
    const { failing }: { failing: string[] } = JSON.parse(readFileSync(baseline, "utf8"));
    expect(failing.length).toBeGreaterThan(10);
    expect(await conform(faulty, "--baseline", baseline)).toMatchObject({ code: 0 });
    const [first, ...others] = failing;
    const mended = "AccountService.GetAccount/authentication/signature/p1363";
    writeFileSync(baseline, JSON.stringify({ failing: [mended, ...others] }));
    const { code, stderr } = await conform(faulty, "--baseline", baseline);
    expect(code).toBe(1);
    expect(stderr).toContain(`passes now, take it off the list: ${mended}`);
    expect(stderr).toContain(`unexpected ${first}`);
  });
});
