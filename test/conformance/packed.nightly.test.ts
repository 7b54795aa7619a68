import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startFaultyServer, type FaultyServer } from "../faults/faulty-server.ts";
import { createConformanceProject, packConformance } from "./packed-project.ts";
import { accessFile, ran, usual } from "./run-command.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "conform-packed-"));
let faulty: FaultyServer;

beforeAll(async () => {
  faulty = await startFaultyServer("id-null-in-errors");
});
afterAll(async () => {
  await faulty.stop();
  rmSync(folder, { recursive: true });
});

test("the package, installed elsewhere, is a command and a library", async () => {
  const packed = packConformance();
  const project = createConformanceProject(packed.tarball);
  try {
    expect(await project.run("publint", packed.tarball)).toContain("All good!");
    await project.run("attw", packed.tarball, "--profile", "esm-only");
    const bin = join(project.root, "node_modules/.bin/ledger-conformance");
    const access = accessFile(folder, faulty);
    const reports = ["--html", "report.html", "--junit", "report.xml", "--badge", "badge.svg"];
    const cli = await ran(bin, ["--access", access, "--level", "document", ...usual, ...reports], {
      cwd: project.root,
      home: folder,
    });
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
    expect(await ran(vitest, args, { cwd: project.root, home: folder })).toMatchObject({ code: 1 });
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
    expect(
      await ran(bin, ["--access", access, "--level", "document", ...usual], {
        cwd: project.root,
        home: folder,
      }),
    ).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^error: this needs Node 99\.1 or later, and runs on \d+\./),
    });
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
