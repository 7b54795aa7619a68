import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createProject, repository, type Project } from "../e2e-generator/project.ts";

const Change = z.looseObject({
  rule: z.string(),
  severity: z.enum(["breaking", "warning", "info"]),
  path: z.string(),
  fingerprint: z.string().regex(/^[0-9a-f]{16}$/),
  exception: z.string().optional(),
  old: z.object({ path: z.string() }).loose().optional(),
  new: z.object({ path: z.string() }).loose().optional(),
});
const Report = z.object({
  format: z.literal("ledger-rpc-diff/1"),
  ok: z.boolean(),
  failOn: z.string(),
  specs: z.array(
    z.object({
      name: z.string(),
      old: z.object({ label: z.string(), revision: z.string() }),
      new: z.object({ label: z.string(), revision: z.string() }),
      version: z.object({ bump: z.string(), from: z.string(), to: z.string() }),
      counts: z.record(z.string(), z.record(z.string(), z.int())),
      changes: z.array(Change),
    }),
  ),
  diagnostics: z.array(z.looseObject({ code: z.string() })),
});

const notes = "spec/notes/notes.yaml";
let project: Project;
let original: string;

beforeAll(() => {
  project = createProject(join(repository, "test/cases/generate/base"));
  original = project.read(notes);
  git("init", "--quiet");
  commit("first");
  git("tag", "first");
  project.write(
    notes,
    withoutGetNote(original).replace(
      "maxLength: 200, doc: What it says. }\n    result",
      "maxLength: 20, doc: What it says. }\n    result",
    ),
  );
  project.write("spec/notes/rules.yaml", "rules:\n  short: { doc: Notes are short. }\n");
  commit("second");
});
afterAll(() => project.dispose());

const who = ["-c", "user.name=Tester", "-c", "user.email=tester@example.com", "-c", "commit.gpgsign=false"];

function git(...args: readonly string[]): void {
  execFileSync("git", [...who, ...args], { cwd: project.root, stdio: "pipe" });
}

function commit(message: string): void {
  git("add", "--all");
  git("commit", "--quiet", "--message", message);
}

function withoutGetNote(text: string): string {
  const [before = "", after = ""] = text.split("  NoteService.GetNote:");
  return before + after.slice(after.indexOf("  NoteService.AddNote:"));
}

async function report(...args: readonly string[]) {
  const { stdout, stderr, exitCode } = await project.run(["diff", ...args, "--json"]);
  expect(stderr).toBe("");
  return { exitCode, ...Report.parse(JSON.parse(stdout)) };
}

const rulesOf = ({ specs }: z.infer<typeof Report>): readonly string[] =>
  specs.flatMap((spec) => spec.changes.map(({ rule }) => rule));

describe("ledger-rpc diff", () => {
  test("compares a revision with the specs as they are", async () => {
    const found = await report("first");
    expect(found).toMatchObject({ exitCode: 1, ok: false, failOn: "breaking" });
    expect(found.specs.map(({ name, old, new: recent }) => [name, old.label, recent.label])).toEqual([
      ["notes", "first:spec/notes", "spec/notes"],
    ]);
    expect(rulesOf(found)).toEqual(["request-bound-tightened", "method-removed", "rule-added"]);
    expect(found.specs[0]?.changes[0]).toMatchObject({
      path: "NoteService.AddNote/payload/text",
      old: { path: notes },
      new: { path: notes },
    });
    expect(found.specs[0]?.version).toEqual({ bump: "major", from: "1.0.0", to: "2.0.0" });
  });

  test("two revisions, a revision's folder and a folder are compared all the same", async () => {
    const expected = rulesOf(await report("first"));
    expect(rulesOf(await report("first", "HEAD"))).toEqual(expected);
    expect(rulesOf(await report("first:spec/notes"))).toEqual(expected);
    expect(rulesOf(await report("first:spec/notes", "spec/notes"))).toEqual(expected);
    expect(rulesOf(await report("first", "spec/notes/"))).toEqual(expected);
    const same = await report("HEAD");
    expect([rulesOf(same), same.exitCode]).toEqual([[], 0]);
  });

  test("two documents are imported in memory and compared; what the import refuses is said with the file's name", async () => {
    const document = (result: object, ...more: readonly object[]) =>
      JSON.stringify({
        openrpc: "1.3.2",
        info: { title: "Tasks", version: "1.0.0" },
        methods: [{ name: "tasks.get", params: [], result: { name: "task", schema: result } }, ...more],
      });
    project.write("old.json", document({ type: "string" }));
    project.write("new.json", document({ type: "string", maxLength: 5 }, { name: "tasks.end", params: [] }));
    const { stdout, stderr, exitCode } = await project.run(["diff", "old.json", "new.json", "--json"]);
    expect(stderr).toContain("imported in memory");
    const found = Report.parse(JSON.parse(stdout));
    expect(exitCode).toBe(1);
    expect(rulesOf(found)).toEqual(expect.arrayContaining(["method-added", "response-bound-set"]));
    expect(found.specs[0]?.changes.map((change) => change.new?.path)).toContain("new.json as methods.yaml");
    commit("documents");
    project.write("new.json", document({ type: "integer" }));
    const again = await project.run(["diff", "HEAD:new.json", "new.json", "--fail-on", "none"]);
    expect(again.stdout).toContain("method-removed tasks.end");

    project.write("new.json", document({ type: "string", not: { const: "a" } }));
    const refused = await project.run(["diff", "old.json", "new.json"]);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toMatch(/new\.json: method tasks\.get: #\/methods\/0\/result\S*: `not`/);
    expect(refused.stderr).toContain("--lossy");
    expect((await project.run(["diff", "old.json", "new.json", "--lossy"])).exitCode).toBe(0);
    project.write("new.json", "{");
    expect((await project.run(["diff", "old.json", "new.json"])).stderr).toContain("new.json cannot be read");
    expect((await project.run(["diff", "old.json", "spec/notes"])).stderr).toContain(
      "is compared with a document",
    );
  });

  test("--fail-on says what is too hard, and makes nothing smaller", async () => {
    for (const [failOn, exitCode] of [
      ["none", 0],
      ["breaking", 1],
      ["warning", 1],
      ["info", 1],
    ] as const) {
      const found = await report("first", "--fail-on", failOn);
      expect(found.exitCode).toBe(exitCode);
      expect(found.specs[0]?.changes.find(({ rule }) => rule === "method-removed")?.severity).toBe(
        "breaking",
      );
      expect(found.specs[0]?.version.bump).toBe("major");
    }
  });

  test("an exception with a reason accepts one change; one without, or for none, fails", async () => {
    const { specs } = await report("first");
    const fingerprint =
      specs[0]?.changes.find(({ rule }) => rule === "request-bound-tightened")?.fingerprint ?? "";
    const removal = "- rule: method-removed\n  path: NoteService.GetNote\n  reason: Nobody calls it.\n";
    project.write(
      "diff-exceptions.yaml",
      `${removal}- fingerprint: ${fingerprint}\n  reason: All notes are short.\n`,
    );
    const accepted = await report("first");
    expect(accepted).toMatchObject({ exitCode: 0, ok: true, diagnostics: [] });
    const [bound, removed] = accepted.specs[0]?.changes ?? [];
    expect(bound).toMatchObject({ severity: "breaking", exception: "All notes are short." });
    expect(removed).toMatchObject({
      rule: "method-removed",
      severity: "breaking",
      exception: "Nobody calls it.",
    });
    // Accepted or not, it is a major version for callers.
    expect(accepted.specs[0]?.version.bump).toBe("major");

    const stale = await report("HEAD");
    expect(stale).toMatchObject({ exitCode: 1, ok: false });
    expect(stale.diagnostics.map(({ code }) => code)).toEqual(["exception-stale", "exception-stale"]);
    expect((await report("HEAD", "--fail-on", "none")).exitCode).toBe(1);

    project.write("other.yaml", "- rule: method-removed\n  path: NoteService.GetNote\n");
    const silent = await project.run(["diff", "first", "--exceptions", "other.yaml"]);
    expect(silent.exitCode).toBe(1);
    expect(silent.stderr).toContain(
      "other.yaml:1:3 error exception-without-reason: the exception gives no reason",
    );

    project.write("other.yaml", "- rule: method-remove\n  pth: x\n  severity: info\n  reason: ' '\n- gone\n");
    const wrong = await project.run(["diff", "first", "--exceptions", "other.yaml"]);
    for (const code of [
      "exception-unknown-rule",
      "exception-unknown-key",
      "exception-without-reason",
      "exception-shape",
    ])
      expect(wrong.stderr).toContain(code);
    project.remove("diff-exceptions.yaml");
    project.remove("other.yaml");
  });

  test("an approval survives other edits of the same files", async () => {
    const fingerprints = async (): Promise<ReadonlyMap<string, string>> => {
      const { specs } = await report("first");
      return new Map(specs[0]?.changes.map(({ rule, fingerprint }) => [rule, fingerprint]));
    };
    const before = await fingerprints();
    const now = project.read(notes);
    project.write(
      notes,
      `# A comment that moves every line.\n\n${now.replace("doc: Adds a note.", "doc: Adds a note for good.")}`,
    );
    const after = await fingerprints();
    expect(after.get("method-removed")).toBe(before.get("method-removed"));
    expect(after.get("request-bound-tightened")).toBe(before.get("request-bound-tightened"));
    expect(after.has("doc-changed")).toBe(true);
    expect(rulesOf(await report("first", "--no-docs"))).not.toContain("doc-changed");
    project.write(notes, now);
  });

  test("a spec that left the config takes its operations with it, and that is breaking", async () => {
    const config = project.read("ledger-rpc.yaml");
    const spec = new Map(
      ["interface.yaml", "notes.yaml"].map((file) => [file, project.read(`spec/notes/${file}`)]),
    );
    project.write(
      "spec/other/interface.yaml",
      (spec.get("interface.yaml") ?? "").replace("name: notes", "name: other"),
    );
    project.write("spec/other/notes.yaml", spec.get("notes.yaml") ?? "");
    project.write("ledger-rpc.yaml", config.replaceAll("notes", "other"));
    for (const file of ["interface.yaml", "notes.yaml", "rules.yaml"]) project.remove(`spec/notes/${file}`);
    const found = await report("HEAD");
    expect(found.exitCode).toBe(1);
    expect(
      found.specs.map(({ name, changes }) => [
        name,
        changes.map(({ rule, severity }) => `${rule} ${severity}`),
      ]),
    ).toEqual([
      ["other", ["interface-added warning"]],
      ["notes", ["interface-removed breaking"]],
    ]);
    git("checkout", "--quiet", "--", ".");
    project.remove("spec/other");
  });

  test("an installed spec that it extends counts as installed, in each revision; one of the project as it was", async () => {
    const interfaceFile = "spec/notes/interface.yaml";
    const before = project.read(interfaceFile);
    const shared = (name: string) =>
      `interface: { name: ${name}, title: S, revision: 1.0.0, path: /s, doc: D., services: {} }\n`;
    const type = (max: number) =>
      `types:\n  Word${max}: { doc: W., type: string, maxLength: ${max}, keep: true }\n`;
    project.write("node_modules/town/spec/interface.yaml", shared("town"));
    project.write("node_modules/town/spec/words.yaml", type(7));
    project.write(".gitignore", "node_modules\n");
    project.write("spec/shared/interface.yaml", shared("shared"));
    project.write("spec/shared/words.yaml", type(8));
    project.write(interfaceFile, before.replace("  path:", "  extends: [../shared, town/spec]\n  path:"));
    commit("extends");
    project.write("spec/shared/words.yaml", type(9));
    project.write("node_modules/town/spec/words.yaml", type(6));
    const { specs } = await report("HEAD");
    expect(specs.flatMap(({ changes }) => changes.map(({ rule, path }) => `${rule} ${path}`))).toEqual([
      "type-removed types/Word8",
      "type-added types/Word9",
    ]);
    git("reset", "--quiet", "--hard", "HEAD~1");
    project.remove("node_modules");
  });

  test("an interface has its own name, whatever its folder is called", async () => {
    cpSync(join(project.root, "spec/notes"), join(project.root, "draft"), { recursive: true });
    const { stdout } = await project.run(["diff", "spec/notes", "draft", "--changelog"]);
    expect(stdout).toMatch(/^## notes \d/);
    project.remove("draft");
  });

  test("the changelog and the migration note are printed, or written, and fail only when told to", async () => {
    const changelog = await project.run(["diff", "first", "--changelog", "--client-version", "0.4.2"]);
    expect(changelog).toMatchObject({ exitCode: 0, stderr: "" });
    expect(changelog.stdout).toMatch(
      /^## notes 0\.5\.0\n[\s\S]*### Breaking\n\n- [\s\S]*NoteService\.GetNote/,
    );
    const migration = await project.run(["diff", "first", "--migration", "--output", "MIGRATION.md"]);
    expect(migration).toMatchObject({ exitCode: 0, stdout: "wrote MIGRATION.md\n" });
    expect(project.read("MIGRATION.md")).toContain('"method": "NoteService.GetNote"');
    const failing = await project.run(["diff", "first", "--migration", "--fail-on", "breaking"]);
    expect(failing.exitCode).toBe(1);
    const both = await project.run(["diff", "first", "--migration", "--changelog"]);
    expect(both.exitCode).toBe(2);
    project.remove("MIGRATION.md");
  });

  test("SARIF and GitHub's commands are about files of the working tree", async () => {
    const { stdout } = await project.run(["diff", "first", "--format", "sarif"]);
    const uris = [...stdout.matchAll(/"uri": "([^"]+)"/g)].map(([, uri]) => uri);
    expect(new Set(uris)).toEqual(new Set([notes, "spec/notes/rules.yaml", "spec/notes/interface.yaml"]));
    const { stdout: commands } = await project.run(["diff", "first", "--format", "github"]);
    expect(commands).toMatch(/^::error file=spec\/notes\/notes\.yaml,line=\d+/);
  });

  test.each([
    [["nowhere"], "nowhere is neither a folder nor a revision that git knows"],
    [["--upload-pack=x"], "unknown option"],
    [["spec/notes"], "spec/notes is a folder: say what to compare it with"],
    [["first:spec/none"], "there are no spec files in first:spec/none"],
    [["first", "--format", "xml"], "--format"],
    [["first", "--exceptions", "none.yaml"], "there is no file none.yaml"],
    [["first", "--spec", "note"], "did you mean notes?"],
    [["first", "--client-version", "next"], "three numbers"],
    [[], "missing required argument"],
  ])("what makes no sense exits with 2: %s", async (args, message) => {
    const { exitCode, stderr } = await project.run(["diff", ...args]);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  test("a spec with errors is not compared", async () => {
    project.write("spec/notes/more.yaml", "types:\n  Odd: { doc: Odd., type: Nothing }\n");
    const { exitCode, stderr, stdout } = await project.run(["diff", "first"]);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("unknown-type");
    expect(stderr).toContain("nothing was compared");
    project.remove("spec/notes/more.yaml");
  });
});
