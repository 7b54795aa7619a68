import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { apply, projectFolder } from "../../generator/output/index.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "output-links-"));
  for (const folder of ["project/handlers/own", "shared/notes"])
    mkdirSync(join(root, folder), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  const layout = { out: "out", handlers: "handlers", contract: "contract.ts" };
  const { diagnostics, written } = apply(join(root, "project"), {
    interface: "notes",
    layout,
    files: [{ kind: "update", path, text, before: "" }],
    manifest: { kind: "keep", path: "manifest.json" },
    owned: new Map(),
    handWritten: new Map(),
    unfinished: [],
  });
  expect([diagnostics, written]).toEqual([[], [path]]);
}

test("files behind a link to a folder are seen, each once, and a link in a circle ends", () => {
  writeFileSync(join(root, "shared/notes/get-note.ts"), "");
  writeFileSync(join(root, "project/handlers/own/add-note.ts"), "");
  symlinkSync("../../shared/notes", join(root, "project/handlers/notes"));
  symlinkSync("own", join(root, "project/handlers/again"));
  symlinkSync("..", join(root, "project/handlers/above"));
  symlinkSync("..", join(root, "shared/notes/around"));
  expect(projectFolder(join(root, "project")).list("handlers")).toEqual([
    "handlers/notes/get-note.ts",
    "handlers/own/add-note.ts",
  ]);
});

test("a link that leads nowhere is seen, and reading it says so; one of an editor is not", () => {
  symlinkSync("../../gone.yaml", join(root, "project/handlers/gone.yaml"));
  symlinkSync("ann@host.123", join(root, "project/handlers/.#gone.yaml"));
  const folder = projectFolder(join(root, "project"));
  expect(folder.list("handlers")).toEqual(["handlers/gone.yaml"]);
  expect(() => folder.read("handlers/gone.yaml")).toThrow("it is a link that leads to no file");
  expect(folder.read("handlers/none.yaml")).toBeUndefined();
});

test("what is linked to is written where it is, and stays linked to", () => {
  writeFileSync(join(root, "shared/notes/get-note.ts"), "old");
  symlinkSync("../../shared/notes/get-note.ts", join(root, "project/handlers/get-note.ts"));
  write("handlers/get-note.ts", "new");
  expect(readFileSync(join(root, "shared/notes/get-note.ts"), "utf8")).toBe("new");
  expect(lstatSync(join(root, "project/handlers/get-note.ts")).isSymbolicLink()).toBe(true);
});

test.each([0o600, 0o444, 0o755])("a file keeps its mode %o", (mode) => {
  const file = join(root, "project/handlers/get-note.ts");
  writeFileSync(file, "old");
  chmodSync(file, mode);
  write("handlers/get-note.ts", "new");
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["new", mode]);
});
