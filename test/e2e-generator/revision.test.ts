import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer } from "../e2e/server.ts";
import { compileErrors } from "./compile.ts";
import { createProject, repository, type Project } from "./project.ts";

/**
 * From revision 1.0.11 of the ledger interface to 1.0.12, as a user goes: each test is a step, and stands on the ones
 * before it. `UPDATE_EXPECTED=1` writes what `diff` says anew.
 */
const cases = join(repository, "test/cases/revision-1.0.12");
const handlers = "runtime/handlers";
let project: Project;
let written: ReadonlyMap<string, string>;

beforeAll(() => {
  project = createProject();
  for (const path of ["spec", "generated", "runtime", "ledger-rpc.yaml"]) {
    cpSync(join(repository, path), join(project.root, path), { recursive: true });
  }
  symlinkSync(join(repository, "node_modules"), join(project.root, "node_modules"));
  project.write("package.json", '{ "type": "module" }\n');
  git("init", "-q");
  git("add", "spec", "ledger-rpc.yaml");
  git("-c", "user.name=Author", "-c", "user.email=author@example.com", "commit", "-q", "-m", "1.0.11");
  git("tag", "v1.0.11");
  // What was published of 1.0.11 is kept aside.
  cpSync(join(project.root, "generated/ledger/client"), join(project.root, "published-client-1.0.11"), {
    recursive: true,
  });
  written = handWritten();
});
afterAll(() => project.dispose());

test.for([
  ["expected.diff.txt", []],
  ["expected.diff.md", ["--format", "markdown"]],
  ["expected.changelog.md", ["--changelog"]],
  ["expected.migration.md", ["--migration"]],
] as const)("the spec is edited, and diff tells what that means: %s", async ([file, options]) => {
  if (file === "expected.diff.txt") edit("spec");
  const { stdout, stderr, exitCode } = await project.run(["diff", "v1.0.11", "--no-docs", ...options]);
  expect([stderr, exitCode]).toEqual(["", file.includes("diff") ? 1 : 0]);
  const said = stdout.replaceAll(/(\.yaml):\d+(:\d+)?/g, "$1");
  if (process.env["UPDATE_EXPECTED"] === "1") writeFileSync(join(cases, file), said);
  expect(said).toBe(readFileSync(join(cases, file), "utf8"));
});

test("generate adds stubs, and touches no byte that somebody wrote", async () => {
  const { exitCode, stdout } = await project.run(["generate"]);
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining("ledger:")]);
  const now = handWritten();
  for (const [path, text] of written) expect(now.get(path), path).toBe(text);
  expect([...now.keys()].filter((path) => !written.has(path)).toSorted()).toEqual([
    "ledger/customer-service/add-share-holder.ts",
    "ledger/key-service/initiate-register-device.ts",
    "ledger/list-subscriptions.ts",
    "ledger/transaction-service/list-transactions.ts",
    "ledger/update-subscription.ts",
  ]);
});

test("the compiler points at the body that has to change, and at nothing else", async () => {
  const errors = await compileErrors(project.root, ["runtime", "generated"]);
  const places = errors.split("\n").filter((line) => /^\S/.test(line));
  expect(places).toEqual([
    expect.stringMatching(/^runtime\/handlers\/ledger\/customer-service\/update-share-holder\.ts\(\d+,\d+\)/),
  ]);
  expect(errors).toContain("Property 'CreatedDate' is missing");
});

test("with the bodies all is green, and generate has nothing to add", async () => {
  edit("bodies");
  expect(
    await compileErrors(project.root, ["runtime", "generated", "programs", "published-client-1.0.11"]),
  ).toBe("");
  const { exitCode, stdout } = await project.run(["check"]);
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^ledger: \d+ files up to date/)]);
});

test("a program of the new revision works against the server", async () => {
  const dataDir = join(project.root, "data");
  const server = await startServer(dataDir, {}, project.root);
  try {
    runProgram("new-client.ts", dataDir);
  } finally {
    await server.stop();
  }
}, 30_000);

/** What the author of the spec, or of the handlers, edits and adds. */
function edit(what: "spec" | "bodies"): void {
  git("apply", join(cases, `${what}.patch`));
  for (const folder of what === "spec" ? ["spec"] : ["runtime", "programs"]) {
    cpSync(join(cases, "added", folder), join(project.root, folder), { recursive: true });
  }
}

/** Every file of the handlers that the generator does not write. */
function handWritten(): ReadonlyMap<string, string> {
  const root = join(project.root, handlers);
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !/^(?:ledger|operator)\/index\.ts$/.test(path),
  );
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), "latin1")]));
}

function runProgram(name: string, dataDir: string): void {
  execFileSync(process.execPath, [join(project.root, "programs", name), dataDir], { encoding: "utf8" });
}

function git(...args: readonly string[]): void {
  execFileSync("git", args, { cwd: project.root, encoding: "utf8" });
}
