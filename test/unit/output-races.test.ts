import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadEmitters } from "../../generator/targets/index.ts";
import { loadServiceModel } from "../../generator/model/index.ts";
import { apply, projectFolder, type WritePlan } from "../../generator/output/index.ts";
import { plan } from "../../generator/output/plan.ts";
import { render } from "../../generator/output/render.ts";
import { sourceText } from "../../generator/language/source/index.ts";

const layout = { out: "generated/notes", handlers: "handlers/notes", contract: "runtime/contract/index.ts" };
const spec = join(import.meta.dirname, "../cases/generate/base/spec/notes");
const getNote = "handlers/notes/note-service/get-note.ts";
const findNote = "handlers/notes/note-service/find-note.ts";
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "races-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function planned(edit: (text: string) => string, prune = false): Promise<WritePlan> {
  const sources = readdirSync(spec).map((name) =>
    sourceText(name, edit(readFileSync(join(spec, name), "utf8"))),
  );
  const { value: model } = loadServiceModel("spec/notes", () => sources);
  if (model === undefined) throw new Error("the base case is broken");
  const emitters = await loadEmitters();
  const rendered = await render(
    emitters.filter(({ name }) => name === "handlers").flatMap((each) => each.emit(model, layout)),
  );
  const folder = projectFolder(root);
  const { value } = await plan({ folder, layout, model, rendered, generatorVersion: "1", prune });
  if (value === undefined) throw new Error("nothing is planned");
  return value;
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
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
  carriedOut(await planned(asIs));
  write(getNote, read(getNote).replace("throw", "// mine\n  throw"));
  const value = await planned(edit);
  const saved = `${read(getNote)}// saved meanwhile\n`;
  write(getNote, saved);
  expect(carriedOut(value)).toEqual([`handler-changed ${getNote}`]);
  expect(read(getNote)).toBe(saved);
  expect(carriedOut(await planned(edit))).toEqual([]);
  expect(read(edit === renamed ? findNote : getNote)).toContain("// saved meanwhile");
});

test("a file that appears where a stub or a moved handler is to go is not written over", async () => {
  const first = await planned(asIs);
  write(getNote, "// here first\n");
  expect(carriedOut(first)).toEqual([`handler-changed ${getNote}`]);
  rmSync(join(root, getNote));
  carriedOut(await planned(asIs));
  write(getNote, `${read(getNote)}// mine\n`);
  const move = await planned(renamed);
  write(findNote, "// here first\n");
  expect(carriedOut(move)).toEqual([`handler-changed ${findNote}`]);
  expect(read(findNote)).toBe("// here first\n");
  expect(read(getNote)).toContain("// mine");
});

test("a file that appears where an orphan is to go is not written over", async () => {
  carriedOut(await planned(asIs));
  write(getNote, `${read(getNote)}// mine\n`);
  const removed = (text: string): string =>
    text.replace(/ {2}NoteService\.GetNote:[^]*(?= {2}NoteService\.AddNote:)/, "");
  carriedOut(await planned(removed));
  const aside = await planned(removed, true);
  const place = "handlers/notes/_orphaned/note-service/get-note.ts";
  write(place, "// here first\n");
  expect(carriedOut(aside)).toEqual([`handler-changed ${place}`]);
  expect(read(place)).toBe("// here first\n");
  expect(read(getNote)).toContain("// mine");
});
