import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createProject, repository } from "../e2e-generator/project.ts";

const Report = z.object({
  specs: z.array(z.object({ changes: z.array(z.object({ rule: z.string() })) })),
});
const rulesOf = (stdout: string): readonly string[] =>
  Report.parse(JSON.parse(stdout)).specs.flatMap((spec) => spec.changes.map(({ rule }) => rule));

const who = ["-c", "user.name=Tester", "-c", "user.email=tester@example.com", "-c", "commit.gpgsign=false"];

function withoutGetNote(text: string): string {
  const [before = "", after = ""] = text.split("  NoteService.GetNote:");
  return before + after.slice(after.indexOf("  NoteService.AddNote:"));
}

describe("ledger-rpc diff", () => {
  test("the config may lie below the root of the repository", async () => {
    const outer = createProject(join(repository, "test/cases/diff/base"));
    const inner = join(outer.root, "packages/notes");
    cpSync(join(repository, "test/cases/generate/base"), inner, { recursive: true });
    const run = (...args: readonly string[]): string =>
      execFileSync("git", [...who, ...args], { cwd: outer.root, encoding: "utf8" });
    run("init", "--quiet");
    run("add", "--all");
    run("commit", "--quiet", "--message", "first");
    const notes = "packages/notes/spec/notes/notes.yaml";
    outer.write(notes, withoutGetNote(outer.read(notes)));
    for (const args of [
      ["HEAD", "--config", "packages/notes/ledger-rpc.yaml"],
      ["HEAD:packages/notes/spec/notes"],
      ["HEAD", "packages/notes/spec/notes"],
    ]) {
      const { stdout } = await outer.run(["diff", ...args, "--json"]);
      expect(rulesOf(stdout)).toEqual(["method-removed"]);
    }
    // Others look for files from the root of the repository.
    const config = ["diff", "HEAD", "--config", "packages/notes/ledger-rpc.yaml", "--format"];
    const github = await outer.run([...config, "github"]);
    expect(github.stdout).toContain("file=packages/notes/spec/notes/");
    const { stdout } = await outer.run([...config, "sarif"]);
    expect(stdout).toContain('"uri": "packages/notes/spec/notes/');
    outer.dispose();
  });

  test("a spec whose folder was moved is compared with what it was; in a worktree and in a shallow clone, too", async () => {
    const moved = createProject(join(repository, "test/cases/generate/base"));
    const run = (...args: readonly string[]): string =>
      execFileSync("git", [...who, ...args], { cwd: moved.root, encoding: "utf8", stdio: "pipe" });
    run("init", "--quiet");
    run("add", "--all");
    run("commit", "--quiet", "--message", "first");
    mkdirSync(join(moved.root, "interfaces"));
    run("mv", "spec/notes", "interfaces/notes-api");
    const config = moved.read("ledger-rpc.yaml");
    moved.write("ledger-rpc.yaml", config.replace("spec/notes", "interfaces/notes-api"));
    const notes = "interfaces/notes-api/notes.yaml";
    moved.write(notes, withoutGetNote(moved.read(notes)));
    run("commit", "--quiet", "--all", "--message", "second");
    run("worktree", "add", "--quiet", "tree");
    run("clone", "--quiet", "--depth", "1", `file://${moved.root}`, "shallow");
    for (const [folder, args, found] of [
      ["interfaces/notes-api", ["HEAD~1"], ["method-removed"]],
      ["tree/interfaces", ["HEAD~1", "--spec", "notes-api"], ["method-removed"]],
      ["shallow", ["HEAD"], []],
    ] as const) {
      const { stdout, stderr } = await moved.run(["diff", ...args, "--json"], undefined, folder);
      expect([folder, stderr, rulesOf(stdout)]).toEqual([folder, "", found]);
    }
    const { stderr, exitCode } = await moved.run(["diff", "HEAD~1"], undefined, "shallow");
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("fetch")]);
    moved.dispose();
  });
});
