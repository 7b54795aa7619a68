import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compareSpecs } from "../../generator/cli/commands/diff-specs.ts";
import type { SpecSide, SpecSides } from "../../generator/cli/commands/diff-sides.ts";
import {
  renderChangelog,
  renderMarkdown,
  renderMigration,
  type MigratedSpec,
} from "../../generator/diff/index.ts";
import { sourceText, type SourceText } from "../../generator/language/source/index.ts";
import { startServer } from "../e2e/server.ts";
import { compileErrors } from "./compile.ts";
import { createProject, repository, type Project } from "./project.ts";

/**
 * From revision 1.0.11 of the ledger interface to 1.0.12, as a user goes: each test is a step, and stands on the ones
 * before it. `UPDATE_EXPECTED=1` writes what `diff` says anew.
 */
const cases = join(repository, "test/cases/revision-1.0.12");
const handlers = "ledger/handlers";
let project: Project;
let written: ReadonlyMap<string, string>;

beforeAll(() => {
  project = createProject();
  for (const path of ["docs", "spec", "generated", "ledger", "runtime", "ledger-rpc.yaml"]) {
    cpSync(join(repository, path), join(project.root, path), { recursive: true });
  }
  symlinkSync(join(repository, "node_modules"), join(project.root, "node_modules"));
  project.write("package.json", '{ "type": "module" }\n');
  git("init", "-q");
  git("add", "spec", "ledger-rpc.yaml");
  git("-c", "user.name=Author", "-c", "user.email=author@example.com", "commit", "-q", "-m", "1.0.11");
  git("tag", "v1.0.11");
  // What was published of 1.0.11 is kept aside.
  copy("spec/ledger", "spec/ledger-1.0.11");
  copy("generated/ledger/client", "published-client-1.0.11");
  written = handWritten();
});
afterAll(() => project.dispose());

test("a program of 1.0.11 works with its server", async () => {
  cpSync(join(cases, "added/programs"), join(project.root, "programs"), { recursive: true });
  const server = await startServer(join(project.root, "data"), {}, project.root);
  try {
    runProgram("before.ts");
  } finally {
    await server.stop();
  }
});

test("the spec is edited, and diff tells what that means", async () => {
  edit("spec");
  const { stdout, stderr, exitCode } = await project.run(["diff", "v1.0.11", "--no-docs"]);
  expect([stderr, exitCode]).toEqual(["", 1]);
  expectSaid("expected.diff.txt", stdout);
});

test("to reviewers in Markdown, to users of the client in its changelog and in a note", () => {
  const { value: compared = [] } = compareSpecs([sidesOf("ledger"), sidesOf("operator")], undefined);
  const specs = compared.map((each) => ({
    ...each.diff,
    changes: each.diff.changes.filter(({ area, severity }) => area !== "texts" || severity !== "info"),
  }));
  expectSaid("expected.diff.md", `${renderMarkdown({ specs, failOn: "breaking", failed: true })}\n`);
  expectSaid("expected.changelog.md", `${renderChangelog(specs)}\n`);
  const migrated = compared.map(({ old, new: recent }, at): MigratedSpec => {
    const diff = specs[at];
    if (diff === undefined || old === undefined || recent === undefined) throw new Error("not compared");
    return { diff, revisions: { old, new: recent } };
  });
  expectSaid("expected.migration.md", `${renderMigration(migrated)}\n`);
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
    // A place for requests that became too strict; nobody has to write anything in it.
    "ledger/revisions/1.0.11.ts",
    "ledger/transaction-service/list-transactions.ts",
    "ledger/update-subscription.ts",
  ]);
  // Users of the client read what diff says about it.
  const [own = ""] = readFileSync(join(cases, "expected.changelog.md"), "utf8").split("## operator");
  const [, ...entries] = own.split("\n### ");
  for (const entry of entries)
    expect(project.read("generated/ledger/client/CHANGELOG.md")).toContain(`### ${entry.trim()}`);
});

test("the compiler points at the body that has to change, and at nothing else", async () => {
  const errors = await compileErrors(project.root, ["ledger", "runtime", "generated"]);
  const places = errors.split("\n").filter((line) => /^\S/.test(line));
  expect(places).toEqual([
    expect.stringMatching(/^ledger\/handlers\/ledger\/customer-service\/update-share-holder\.ts\(\d+,\d+\)/),
  ]);
  expect(errors).toContain("Property 'CreatedDate' is missing");
});

test("with the bodies all is green", async () => {
  edit("bodies");
  expect(
    await compileErrors(project.root, [
      "ledger",
      "runtime",
      "generated",
      "programs",
      "published-client-1.0.11",
    ]),
  ).toBe("");
});

test("programs of both revisions work against the one server, on what the old one left behind", async () => {
  const server = await startServer(join(project.root, "data"), {}, project.root);
  try {
    runProgram("old-client.ts");
    runProgram("new-client.ts");
  } finally {
    await server.stop();
  }
});

/** What the author of the spec, or of the handlers, edits and adds. */
function edit(what: "spec" | "bodies"): void {
  git("apply", join(cases, `${what}.patch`));
  const folder = what === "spec" ? "spec" : "ledger";
  cpSync(join(cases, "added", folder), join(project.root, folder), { recursive: true });
}

function expectSaid(file: string, text: string): void {
  const said = text.replaceAll(/(\.yaml):\d+(:\d+)?/g, "$1");
  if (process.env["UPDATE_EXPECTED"] === "1") writeFileSync(join(cases, file), said);
  expect(said).toBe(readFileSync(join(cases, file), "utf8"));
}

/** A spec as it is in the repository, and as it is in the project. */
function sidesOf(name: string): SpecSides {
  const folder = `spec/${name}`;
  const old: SpecSide = { label: `v1.0.11:${folder}`, folder, read: (path) => readYaml(repository, path) };
  const recent: SpecSide = { label: folder, folder, read: (path) => readYaml(project.root, path) };
  return { name, old, new: recent, handlers: `${handlers}/${name}` };
}

function readYaml(root: string, folder: string): readonly SourceText[] | undefined {
  if (!existsSync(join(root, folder))) return undefined;
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return paths
    .filter((path) => path.endsWith(".yaml"))
    .map((path) => sourceText(`${folder}/${path}`, readFileSync(join(root, folder, path), "utf8")));
}

function copy(from: string, to: string): void {
  cpSync(join(project.root, from), join(project.root, to), { recursive: true });
}

/** Every file of the handlers that the generator does not write. */
function handWritten(): ReadonlyMap<string, string> {
  const root = join(project.root, handlers);
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !/^(?:ledger|operator)\/index\.ts$/.test(path),
  );
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), "latin1")]));
}

function runProgram(name: string): void {
  const [program, dataDir] = [join(project.root, "programs", name), join(project.root, "data")];
  execFileSync(process.execPath, [program, dataDir], { encoding: "utf8" });
}

function git(...args: readonly string[]): void {
  execFileSync("git", args, { cwd: project.root, encoding: "utf8" });
}
