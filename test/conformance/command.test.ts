import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startFaultyServer, type FaultyServer } from "../faults/faulty-server.ts";
import { createConformanceProject, packConformance } from "./packed-project.ts";

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

const usual = ["--operation", "AccountService.GetAccount/authentication", "--explore", "0"];

/** An access file for a server. */
function accessOf(server: FaultyServer): string {
  const file = join(folder, "access.json");
  writeFileSync(file, JSON.stringify(server.access));
  return file;
}

async function conform(server: FaultyServer, ...args: readonly string[]) {
  const command = ["generator/cli/main.ts", "conform", "--access", accessOf(server), ...usual, ...args];
  return await ran(process.execPath, command, root);
}

async function ran(program: string, args: readonly string[], cwd: string) {
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, NO_COLOR: "1" };
  try {
    const { stdout, stderr } = await promisify(execFile)(program, [...args], { cwd, env, timeout: 600_000 });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code = -1, stdout = "", stderr = "" } = Object(error);
    return { code: Number(code), stdout: String(stdout), stderr: String(stderr) };
  }
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

test("the package, installed elsewhere, is a command and a library", async () => {
  const packed = packConformance();
  const project = createConformanceProject(packed.tarball);
  try {
    expect(await project.run("publint", packed.tarball)).toContain("All good!");
    await project.run("attw", packed.tarball, "--profile", "esm-only");
    const bin = join(project.root, "node_modules/.bin/ledger-conformance");
    const access = accessOf(faulty);
    const reports = ["--html", "report.html", "--junit", "report.xml", "--badge", "badge.svg"];
    const cli = await ran(
      bin,
      ["--access", access, "--level", "document", ...usual, ...reports],
      project.root,
    );
    expect(cli).toMatchObject({ code: 0 });
    expect(cli.stdout).toMatch(/\d+ passed, 0 failed/);
    expect(readFileSync(join(project.root, "badge.svg"), "utf8")).toContain("conforms (document)");
    expect(readFileSync(join(project.root, "report.html"), "utf8")).toContain(
      "Everything that was tried holds",
    );

    const { operator: _, operatorUrl: __, ...withoutOperator } = faulty.access;
    project.write({
      "access.json": JSON.stringify(withoutOperator),
      "ledger.test.js": `
        import { describe, test } from "vitest";
        import { describeConformance } from "ledger-conformance";
        await describeConformance({
          describe, test, access: "access.json", seed: 1, explore: { runs: 0 },
          only: ["AccountService.GetAccount/example", "AccountService.GetAccount/payload/ID", "scenario/scopes"],
        });
      `,
    });
    const output = join(project.root, "results.json");
    const vitest = join(root, "node_modules/.bin/vitest");
    const args = ["run", "--root", project.root, "--reporter", "json", "--outputFile", output];
    expect(await ran(vitest, args, project.root)).toMatchObject({ code: 1 });
    const { testResults }: { testResults: readonly { assertionResults: readonly Assertion[] }[] } =
      JSON.parse(readFileSync(output, "utf8"));
    const results = testResults.flatMap(({ assertionResults }) => assertionResults);
    const suites = new Set(results.map(({ ancestorTitles }) => ancestorTitles.join(" > ")));
    expect([...suites].every((title) => /level decisions, seed 1 > \w+Service\.\w+$/.test(title))).toBe(true);
    const failed = results.find(({ status }) => status === "failed");
    expect(failed?.failureMessages?.join()).toMatch(/expected id ".*"\n\s+found +null[^]*curl -s/);
    expect(results.some(({ status }) => status === "passed")).toBe(true);
    const manifest = join(project.root, "node_modules/ledger-conformance/package.json");
    const installed: { engines: { node: string } } = JSON.parse(readFileSync(manifest, "utf8"));
    writeFileSync(manifest, JSON.stringify({ ...installed, engines: { node: ">=99.1" } }));
    expect(await ran(bin, ["--access", access, "--level", "document", ...usual], project.root)).toMatchObject(
      {
        code: 2,
        stdout: "",
        stderr: expect.stringMatching(/^error: this needs Node 99\.1 or later, and runs on \d+\./),
      },
    );
    const skipped = results.filter(({ status }) => status === "skipped" || status === "pending");
    expect(skipped.map(({ title }) => title)).toEqual([
      "scenario/scopes (needs operator access, which the access file does not give)",
    ]);
  } finally {
    project.remove();
    packed.remove();
  }
});

interface Assertion {
  readonly title: string;
  readonly ancestorTitles: readonly string[];
  readonly status: string;
  readonly failureMessages?: readonly string[];
}
