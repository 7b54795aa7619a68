import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FileDraft } from "../../generator/targets/emitter.ts";
import { emitter as handlers } from "../../generator/targets/handlers/index.ts";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { apply, filesLeft, projectFolder, type WritePlan } from "../../generator/output/index.ts";
import { plan } from "../../generator/output/plan.ts";
import { render } from "../../generator/output/render.ts";
import { sourceText } from "../../generator/language/source/index.ts";

const layout = { out: "generated/notes", handlers: "handlers/notes", contract: "contract.ts" };
const base = join(import.meta.dirname, "../cases/generate/base");
const model = notesModel();
const getNote = "handlers/notes/note-service/get-note.ts";
const findNote = "handlers/notes/note-service/find-note.ts";
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "output-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const owned = (name: string, text = `export const a = "${name}";\n`): FileDraft => ({
  path: `${layout.out}/${name}`,
  ownership: "owned",
  text,
});

function notesModel(edit = (text: string): string => text): ServiceModel {
  const folder = join(base, "spec/notes");
  const sources = readdirSync(folder).map((name) =>
    sourceText(name, edit(readFileSync(join(folder, name), "utf8"))),
  );
  const { value } = loadServiceModel("spec/notes", () => sources);
  if (value === undefined) throw new Error("the base case is broken");
  return value;
}

async function planned(
  ...drafts: readonly FileDraft[]
): Promise<{ codes: readonly string[]; plan: WritePlan | undefined }> {
  const rendered = await render(drafts);
  const result = await plan({ folder: projectFolder(root), layout, model, rendered, generatorVersion: "1" });
  return { codes: result.diagnostics.map(({ code, path }) => `${code} ${path}`), plan: result.value };
}

async function generated(...drafts: readonly FileDraft[]): Promise<void> {
  const { plan: value } = await planned(...drafts);
  if (value === undefined) throw new Error("nothing is planned");
  expect(apply(root, value).diagnostics).toEqual([]);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function files(): readonly string[] {
  return projectFolder(root)
    .list(".")
    .map((path) => path.slice(2));
}

function kinds(value: WritePlan | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...(value?.files ?? []), ...(value === undefined ? [] : [value.manifest])].map(({ path, kind }) => [
      path,
      kind,
    ]),
  );
}

describe("the plan", () => {
  test("deletes what it wrote and nobody wants now, with the folders that are empty then, and nothing else", async () => {
    await generated(owned("old/a.ts"), owned("b.ts"));
    write("generated/notes/old-mine.ts", "mine");
    await generated(owned("b.ts"));
    expect(files()).toEqual([
      "generated/notes/b.ts",
      "generated/notes/manifest.json",
      "generated/notes/old-mine.ts",
    ]);
    expect(readdirSync(join(root, "generated/notes"))).not.toContain("old");
  });

  test("deletes no file whose name differs in capitals alone: it may be the one that is written", async () => {
    await generated(owned("README.ts"), owned("b.ts"));
    const { files: next = [] } = (await planned(owned("readme.ts"))).plan ?? {};
    expect(next.flatMap(({ kind, path }) => (kind === "delete" ? [path] : []))).toEqual([
      "generated/notes/b.ts",
    ]);
  });

  test("takes files that git checked out with other line ends, or an editor saved with a mark, for what it wrote", async () => {
    await generated(owned("a.ts"), owned("b.ts"));
    for (const path of files()) write(path, readFileSync(join(root, path), "utf8").replaceAll("\n", "\r\n"));
    write("generated/notes/b.ts", `\uFEFF${readFileSync(join(root, "generated/notes/b.ts"), "utf8")}`);
    const same = await planned(owned("a.ts"), owned("b.ts"));
    expect(new Set(Object.values(kinds(same.plan)))).toEqual(new Set(["keep"]));
    const { plan: changed, codes } = await planned(owned("a.ts", "export const a = 2;\n"), owned("b.ts"));
    expect([kinds(changed)["generated/notes/a.ts"], codes]).toEqual(["update", []]);
  });

  test("counts the files that it leaves, without those that it deletes", async () => {
    await generated(owned("a.ts"), owned("b.ts"));
    const { files: next = [] } = (await planned(owned("b.ts"))).plan ?? {};
    expect(next.map(({ kind }) => kind).toSorted()).toEqual(["delete", "keep"]);
    expect(filesLeft(next)).toBe(2);
  });

  test("keeps a folder that holds a file of somebody else", async () => {
    await generated(owned("old/a.ts"), owned("b.ts"));
    write("generated/notes/old/mine.ts", "mine");
    await generated(owned("b.ts"));
    expect(files()).toContain("generated/notes/old/mine.ts");
  });

  test("takes over a file that is already as it should be", async () => {
    write("generated/notes/a.ts", 'export const a = "a.ts";\n');
    const { codes, plan: value } = await planned(owned("a.ts"));
    expect(codes).toEqual([]);
    expect(kinds(value)).toMatchObject({
      "generated/notes/a.ts": "keep",
      "generated/notes/manifest.json": "create",
    });
  });

  test("is refused where a file of somebody else would be lost, with every such file", async () => {
    write("generated/notes/a.ts", "mine");
    write("generated/notes/b.ts", "mine");
    write("handlers/notes/index.ts", "mine");
    const registry: FileDraft = { path: "handlers/notes/index.ts", ownership: "owned", text: "export {};\n" };
    expect(await planned(owned("a.ts"), owned("b.ts"), registry)).toEqual({
      codes: [
        "foreign-file generated/notes/a.ts",
        "foreign-file generated/notes/b.ts",
        "foreign-file handlers/notes/index.ts",
      ],
      plan: undefined,
    });
  });

  test.for([
    ["above the output folder", "../../spec/notes/notes.yaml"],
    ["by its absolute path", "/etc/passwd"],
    ["through a back slash", "..\\..\\package.json"],
    ["on a drive", "C:/windows"],
    ["by an empty name", ""],
  ])("believes no manifest that lists a file %s", async ([, path = ""]) => {
    await generated(owned("a.ts"));
    const manifest = join(root, "generated/notes/manifest.json");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace('"a.ts"', JSON.stringify(path)));
    expect(await planned(owned("a.ts"))).toEqual({
      codes: ["manifest-unreadable generated/notes/manifest.json"],
      plan: undefined,
    });
  });

  test("says what stands in the way of reading", async () => {
    mkdirSync(join(root, "generated/notes/a.ts"), { recursive: true });
    expect((await planned(owned("a.ts"))).codes).toEqual(["file-unreadable generated/notes/a.ts"]);
    rmSync(join(root, "generated/notes/a.ts"), { recursive: true });
    execFileSync("mkfifo", [join(root, "generated/notes/a.ts")]);
    expect((await planned(owned("a.ts"))).codes).toEqual(["file-unreadable generated/notes/a.ts"]);
    rmSync(join(root, "generated"), { recursive: true });
    write("generated", "a file");
    expect((await planned(owned("a.ts"))).codes).toEqual(["file-unreadable generated/notes/manifest.json"]);
  });

  test("follows no link to a folder when it looks for orphans", async () => {
    mkdirSync(join(root, "handlers/notes"), { recursive: true });
    symlinkSync(root, join(root, "handlers/notes/loop"));
    expect((await planned(owned("a.ts"))).codes).toEqual([]);
  });

  test("is the same manifest wherever and whenever it is made", async () => {
    await generated(owned("a.ts"), owned("b.ts"));
    const manifest = readFileSync(join(root, "generated/notes/manifest.json"), "utf8");
    const elsewhere = mkdtempSync(join(tmpdir(), "output-elsewhere-"));
    cpSync(root, elsewhere, { recursive: true });
    rmSync(join(elsewhere, "generated"), { recursive: true });
    rmSync(root, { recursive: true });
    root = elsewhere;
    await generated(owned("b.ts"), owned("a.ts"));
    expect(readFileSync(join(root, "generated/notes/manifest.json"), "utf8")).toBe(manifest);
  });
});

describe("two emitters", () => {
  test("may not write one file, not even on a file system that ignores case", async () => {
    await expect(planned(owned("a.ts"), owned("A.ts"))).rejects.toThrow("two emitters want to write");
  });

  test("may not own files outside of their folders", async () => {
    const outside: FileDraft = { path: "runtime/a.ts", ownership: "owned", text: "" };
    await expect(planned(outside)).rejects.toThrow("outside its folders");
  });
});

describe("a run that was interrupted", () => {
  test("at any file leaves whole files, and the next run finishes it without a complaint", async () => {
    await generated(owned("gone.ts"), owned("changed.ts"));
    const before = mkdtempSync(join(tmpdir(), "output-before-"));
    cpSync(root, before, { recursive: true });
    const next = [owned("changed.ts", "export const changed = 2;\n"), owned("new/a.ts"), owned("new/b.ts")];
    await generated(...next);
    const after = new Map(files().map((path) => [path, readFileSync(join(root, path), "utf8")]));

    for (let crashAt = 0; crashAt < 6; crashAt += 1) {
      rmSync(root, { recursive: true });
      cpSync(before, root, { recursive: true });
      const { plan: value } = await planned(...next);
      if (value === undefined) throw new Error("nothing is planned");
      crashed(value, crashAt);
      for (const path of files()) expect(readFileSync(join(root, path), "utf8")).toMatch(/\n$/);
      // Meanwhile the spec has changed again.
      const { codes } = await planned(owned("new/a.ts", "export const a = 3;\n"), owned("changed.ts"));
      expect(codes.filter((code) => code.startsWith("foreign-file"))).toEqual([]);
      await generated(...next);
      expect(new Map(files().map((path) => [path, readFileSync(join(root, path), "utf8")]))).toEqual(after);
    }
    rmSync(before, { recursive: true });
  });

  test("leaves temporary files that the next run removes, and none of a run that goes on", async () => {
    write("generated/notes/a.ts.999999999.ledger-rpc-tmp", "half");
    write(`generated/notes/b.ts.${process.pid}.ledger-rpc-tmp`, "half");
    await generated(owned("a.ts"));
    expect(readdirSync(join(root, "generated/notes"))).toEqual([
      "a.ts",
      `b.ts.${process.pid}.ledger-rpc-tmp`,
      "manifest.json",
    ]);
  });
});

test("a file that cannot be written is an error that names it, and the next run goes on", async () => {
  const { plan: value } = await planned(owned("a.ts"), owned("b/c.ts"));
  if (value === undefined) throw new Error("nothing is planned");
  write("generated/notes/b", "in the way since the plan was made");
  const report = apply(root, value);
  expect(report.diagnostics).toMatchObject([{ code: "file-unwritable", path: "generated/notes/b/c.ts" }]);
  expect(report.written).toEqual(["generated/notes/a.ts"]);
  rmSync(join(root, "generated/notes/b"));
  await generated(owned("a.ts"), owned("b/c.ts"));
  expect(files()).toContain("generated/notes/b/c.ts");
});

/** Carries out only the first steps of a plan: the claim, then so many files, and no manifest. */
function crashed(value: WritePlan, steps: number): void {
  if (steps === 0) return;
  const first = { ...value, files: value.files.slice(0, steps - 1) };
  const manifest = { kind: "keep", path: value.manifest.path } as const;
  apply(root, { ...first, manifest });
}

/** The plan for the handlers of an edited spec. */
async function plannedHandlers(edit: (text: string) => string, prune = false): Promise<WritePlan> {
  const edited = notesModel(edit);
  const rendered = await render(handlers.emit(edited, layout));
  const folder = projectFolder(root);
  const { value } = await plan({ folder, layout, model: edited, rendered, generatorVersion: "1", prune });
  if (value === undefined) throw new Error("nothing is planned");
  return value;
}

function carriedOut(value: WritePlan): readonly string[] {
  return apply(root, value).diagnostics.map(({ code, path }) => `${code} ${path}`);
}

const asIs = (text: string): string => text;
const redocumented = (text: string): string => text.replace("Gives a note.", "Gives one note.");
const renamed = (text: string): string =>
  text.replace("NoteService.GetNote:", "NoteService.FindNote:\n    renamedFrom: NoteService.GetNote");

test.for([
  ["is to be touched up", redocumented],
  ["is to move", renamed],
  ["is to stay as it is", asIs],
] as const)("what an author saves while a run is under way stays: a file that %s", async ([, edit]) => {
  carriedOut(await plannedHandlers(asIs));
  write(getNote, read(getNote).replace("throw", "// mine\n  throw"));
  const value = await plannedHandlers(edit);
  const saved = `${read(getNote)}// saved meanwhile\n`;
  write(getNote, saved);
  expect(carriedOut(value)).toEqual([`handler-changed ${getNote}`]);
  expect(read(getNote)).toBe(saved);
  expect(carriedOut(await plannedHandlers(edit))).toEqual([]);
  expect(read(edit === renamed ? findNote : getNote)).toContain("// saved meanwhile");
});

test("a file that appears where a stub or a moved handler is to go is not written over", async () => {
  const first = await plannedHandlers(asIs);
  write(getNote, "// here first\n");
  expect(carriedOut(first)).toEqual([`handler-changed ${getNote}`]);
  rmSync(join(root, getNote));
  carriedOut(await plannedHandlers(asIs));
  write(getNote, `${read(getNote)}// mine\n`);
  const move = await plannedHandlers(renamed);
  write(findNote, "// here first\n");
  expect(carriedOut(move)).toEqual([`handler-changed ${findNote}`]);
  expect(read(findNote)).toBe("// here first\n");
  expect(read(getNote)).toContain("// mine");
});

test("a file that appears where an orphan is to go is not written over", async () => {
  carriedOut(await plannedHandlers(asIs));
  write(getNote, `${read(getNote)}// mine\n`);
  const removed = (text: string): string =>
    text.replace(/ {2}NoteService\.GetNote:[^]*(?= {2}NoteService\.AddNote:)/, "");
  carriedOut(await plannedHandlers(removed));
  const aside = await plannedHandlers(removed, true);
  const place = "handlers/notes/_orphaned/note-service/get-note.ts";
  write(place, "// here first\n");
  expect(carriedOut(aside)).toEqual([`handler-changed ${place}`]);
  expect(read(place)).toBe("// here first\n");
  expect(read(getNote)).toContain("// mine");
});
