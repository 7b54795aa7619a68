import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeOwned } from "../../tools/write-owned.ts";
import { apply, projectFolder, type ProjectFolder, type WritePlan } from "../../generator/output/index.ts";
import { emptyFolder } from "../../tools/pack/pack.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "output-links-"));
  for (const folder of ["project/handlers/own", "shared/notes"])
    mkdirSync(join(root, folder), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

function planOf(files: WritePlan["files"]): WritePlan {
  return {
    interface: "notes",
    layout: { out: "out", handlers: "handlers", contract: "contract.ts" },
    files,
    manifest: { kind: "keep", path: "manifest.json" },
    owned: new Map(),
    handWritten: new Map(),
    unfinished: [],
  };
}

function write(path: string, text: string): void {
  const plan = planOf([{ kind: "update", path, text, before: "" }]);
  const { diagnostics, written } = apply(join(root, "project"), plan);
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

test("what is linked to in the project is written where it is, and stays linked to", () => {
  writeFileSync(join(root, "project/handlers/own/get-note.ts"), "old");
  symlinkSync("own/get-note.ts", join(root, "project/handlers/get-note.ts"));
  write("handlers/get-note.ts", "new");
  expect(readFileSync(join(root, "project/handlers/own/get-note.ts"), "utf8")).toBe("new");
  expect(lstatSync(join(root, "project/handlers/get-note.ts")).isSymbolicLink()).toBe(true);
});

test.each([0o600, 0o444, 0o755])("a file keeps its mode %o", (mode) => {
  const file = join(root, "project/handlers/get-note.ts");
  writeFileSync(file, "old");
  chmodSync(file, mode);
  write("handlers/get-note.ts", "new");
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["new", mode]);
});

describe("a link that leads out of the project", () => {
  const reason = "a link of its path leads out of the project";
  const found = (files: WritePlan["files"], folder?: ProjectFolder): readonly string[] =>
    apply(join(root, "project"), planOf(files), folder).diagnostics.map(
      ({ code, path, message }) => `${code} ${path}: ${message}`,
    );
  const outside = (): readonly string[] =>
    readdirSync(join(root, "shared"), { recursive: true }).map(String).toSorted();

  beforeEach(() => {
    mkdirSync(join(root, "shared/deep"));
    writeFileSync(join(root, "shared/notes/theirs.ts"), "theirs");
    symlinkSync("../shared", join(root, "project/out"));
    symlinkSync("../shared/none.ts", join(root, "project/none.ts"));
    symlinkSync("../../shared/notes", join(root, "project/handlers/linked"));
    symlinkSync("../../shared/notes/theirs.ts", join(root, "project/handlers/theirs.ts"));
  });

  test.each([
    ["a folder", { kind: "create", path: "out/a.ts", text: "mine" }],
    ["a folder above it", { kind: "create", path: "out/deep/new/a.ts", text: "mine" }],
    ["a folder of handlers", { kind: "update", path: "handlers/linked/theirs.ts", text: "mine", before: "" }],
    ["a file", { kind: "update", path: "handlers/theirs.ts", text: "mine", before: "theirs" }],
    ["what is deleted", { kind: "delete", path: "handlers/linked/theirs.ts", before: "theirs" }],
  ] as const)("is not followed: %s", (_, file) => {
    const before = outside();
    const first = { kind: "create", path: "first.ts", text: "mine" } as const;
    const [message] = found([first, file]);
    expect(message).toContain(`file-unwritable ${file.path}: `);
    expect(message).toContain(reason);
    expect(outside()).toEqual(before);
    expect(readFileSync(join(root, "shared/notes/theirs.ts"), "utf8")).toBe("theirs");
    expect(existsSync(join(root, "project/first.ts"))).toBe(false);
  });

  test("is replaced where it leads nowhere", () => {
    expect(found([{ kind: "create", path: "none.ts", text: "mine" }])).toEqual([]);
    expect(lstatSync(join(root, "project/none.ts")).isFile()).toBe(true);
    expect(existsSync(join(root, "shared/none.ts"))).toBe(false);
  });

  test("is not followed where it takes the place of a folder between the check and the write", () => {
    const project = join(root, "project");
    const real = projectFolder(project);
    mkdirSync(join(project, "generated/deep"), { recursive: true });
    writeFileSync(join(project, "generated/deep/theirs.ts"), "mine");
    const swapping: ProjectFolder = {
      ...real,
      digest(path) {
        const digest = real.digest(path);
        renameSync(join(project, "generated/deep"), join(project, "generated/away"));
        symlinkSync("../../shared/notes", join(project, "generated/deep"));
        return digest;
      },
    };
    const before = outside();
    const path = "generated/deep/theirs.ts";
    const read = real.digest(path) ?? "";
    expect(found([{ kind: "update", path, text: "changed", before: "mine", read }], swapping)[0]).toContain(
      reason,
    );
    expect(outside()).toEqual(before);
    expect(readFileSync(join(root, "shared/notes/theirs.ts"), "utf8")).toBe("theirs");
  });

  test("is not followed by commands that keep a list of their files", () => {
    const project = join(root, "project");
    const files = new Map([["a.html", "mine"]]);
    expect(() => writeOwned(project, join(project, "out/site"), files)).toThrow(reason);
    mkdirSync(join(project, "site"));
    symlinkSync("../../shared/deep", join(project, "site/deep"));
    expect(() => writeOwned(project, join(project, "site"), new Map([["deep/a.html", "mine"]]))).toThrow(
      reason,
    );
    writeFileSync(join(project, "site/.ledger-rpc-files.json"), '["linked/theirs.ts"]');
    symlinkSync("../../shared/notes", join(project, "site/linked"));
    expect(() => writeOwned(project, join(project, "site"), files)).toThrow(reason);
    expect(outside()).toEqual(["deep", "notes", "notes/theirs.ts"]);
    // A folder elsewhere is where the command line says so.
    expect(writeOwned(project, join(root, "shared/site"), files)).toBeUndefined();
    expect(outside()).toContain("site/a.html");
  });

  test("is not followed by the folder of a package", () => {
    const project = join(root, "project");
    expect(() => emptyFolder({ out: join(project, "out"), owner: project }, "deep")).toThrow(reason);
    expect(() => emptyFolder({ out: join(project, "packages"), owner: project }, "../..")).toThrow("no name");
    expect(outside()).toContain("deep");
  });
});
